/** What the handlers have in common. */
@NullMarked
package io.gregor.handlers.transactions.internal;

import org.jspecify.annotations.NullMarked;
