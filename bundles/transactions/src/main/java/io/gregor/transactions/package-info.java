/** The transaction coordinator of this broker, its log and its markers. How it works is in {@code internal}. */
@NullMarked
package io.gregor.transactions;

import org.jspecify.annotations.NullMarked;
