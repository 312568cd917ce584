/** The coordinator's state, its log, its markers. */
@NullMarked
package io.gregor.transactions.internal;

import org.jspecify.annotations.NullMarked;
