package io.gregor.transactions.internal;

import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What a request came to. Immutable.
 *
 * @param state the transaction afterwards; null if there is none
 * @param ending the decision that was written, if one was
 */
record Outcome(Errors error, @Nullable TxnTransitMetadata state, @Nullable Ending ending) {
    static final ProducerIdAndEpoch NO_PRODUCER =
            new ProducerIdAndEpoch(RecordBatch.NO_PRODUCER_ID, RecordBatch.NO_PRODUCER_EPOCH);

    static Outcome refused(Errors error) {
        return new Outcome(error, null, null);
    }

    /** With what the producer goes on: after a decision that used its last epoch, with another id. */
    ProducerIdAndEpoch producer() {
        if (error != Errors.NONE || state == null) {
            return NO_PRODUCER;
        }
        if (ending != null && state.nextProducerId() != RecordBatch.NO_PRODUCER_ID) {
            return new ProducerIdAndEpoch(state.nextProducerId(), (short) 0);
        }
        return new ProducerIdAndEpoch(state.producerId(), state.producerEpoch());
    }
}
