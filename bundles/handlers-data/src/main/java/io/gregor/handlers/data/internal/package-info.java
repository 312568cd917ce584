/** Answers that take several steps to build. */
@NullMarked
package io.gregor.handlers.data.internal;

import org.jspecify.annotations.NullMarked;
