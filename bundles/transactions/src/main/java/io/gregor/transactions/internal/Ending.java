package io.gregor.transactions.internal;

import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;

/**
 * A decision that is in the log, and that all partitions of the transaction are to be told. Immutable.
 *
 * @param partition of {@code __transaction_state}
 * @param coordinatorEpoch the leader epoch of that partition in which the markers are sent
 * @param prepared the state as it was written: PREPARE_COMMIT or PREPARE_ABORT
 */
record Ending(int partition, int coordinatorEpoch, String transactionalId, TxnTransitMetadata prepared) {
    TxnMarkerEntry marker(List<TopicPartition> partitions) {
        return new TxnMarkerEntry(
                prepared.producerId(),
                prepared.producerEpoch(),
                coordinatorEpoch,
                prepared.txnState() == TransactionState.PREPARE_COMMIT
                        ? TransactionResult.COMMIT
                        : TransactionResult.ABORT,
                partitions,
                prepared.clientTransactionVersion().featureLevel());
    }

    /** By what does not repeat: a producer has one decision at a time, and each has its time. Looks at no partition. */
    boolean isSameDecision(TxnTransitMetadata other) {
        return prepared.txnState() == other.txnState()
                && prepared.producerId() == other.producerId()
                && prepared.producerEpoch() == other.producerEpoch()
                && prepared.txnStartTimestamp() == other.txnStartTimestamp()
                && prepared.txnLastUpdateTimestamp() == other.txnLastUpdateTimestamp();
    }
}
