package io.gregor.transactions.internal;

import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a transaction when something is asked for. Immutable.
 *
 * @param error for who asks; may be set although the transaction changes
 * @param next what is to be written; null if it stays as it is
 */
record Decision(Errors error, @Nullable TxnTransitMetadata next) {
    static Decision stay(Errors error) {
        return new Decision(error, null);
    }

    static Decision to(TxnTransitMetadata next) {
        return new Decision(Errors.NONE, next);
    }
}
