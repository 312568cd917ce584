/** Handlers of the APIs of transactions, one stateless class per API key. */
@NullMarked
package io.gregor.handlers.transactions;

import org.jspecify.annotations.NullMarked;
