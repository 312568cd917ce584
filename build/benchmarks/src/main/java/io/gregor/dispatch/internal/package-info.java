/** What dispatch costs. */
@NullMarked
package io.gregor.dispatch.internal;

import org.jspecify.annotations.NullMarked;
