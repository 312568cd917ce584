/** Transactions: their coordinator, their markers in the logs of this broker, and whether a batch belongs to one. */
@Export
@NullMarked
package io.gregor.internal.transactions;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
