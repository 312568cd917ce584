package io.gregor.transactions.internal;

import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * Decides what InitProducerId and AddPartitionsToTxn make of a transaction, as Kafka's coordinator does. Immutable.
 *
 * @param newProducerIds called when a producer needs another id; its exception is the answer
 */
record Beginnings(LongSupplier newProducerIds) {
    /**
     * InitProducerId. A transaction under way becomes PREPARE_ABORT with CONCURRENT_TRANSACTIONS for who asks.
     *
     * @param expected what the producer has had (KIP-360)
     */
    Decision init(Transition at, int timeoutMs, Optional<ProducerIdAndEpoch> expected, TransactionVersion server) {
        TxnTransitMetadata present = at.from();
        TransactionState state = present.txnState();
        if (Transition.isPrepared(state)) {
            return Decision.stay(Errors.CONCURRENT_TRANSACTIONS);
        }
        if (expected.isPresent() && !isKnown(present, expected.get())) {
            return Decision.stay(Errors.PRODUCER_FENCED);
        }
        if (state == TransactionState.ONGOING) {
            return new Decision(Errors.CONCURRENT_TRANSACTIONS, at.fence(server));
        }
        return Decision.to(nextEpoch(at, timeoutMs, expected));
    }

    /** The producer has an id that is its own still, or had one whose epochs were used up. */
    private static boolean isKnown(TxnTransitMetadata present, ProducerIdAndEpoch expected) {
        return present.producerEpoch() == -1
                || expected.producerId == present.producerId()
                || (expected.producerId == present.prevProducerId()
                        && TransactionMetadata.isEpochExhausted(expected.epoch));
    }

    private TxnTransitMetadata nextEpoch(Transition at, int timeoutMs, Optional<ProducerIdAndEpoch> expected) {
        TransactionMetadata metadata = at.metadata();
        boolean isUsedUp = metadata.isProducerEpochExhausted()
                && (expected.isEmpty() || expected.get().epoch == metadata.producerEpoch());
        TxnTransitMetadata next = isUsedUp
                ? metadata.prepareProducerIdRotation(
                        newProducerIds.getAsLong(), timeoutMs, at.nowMs(), expected.isPresent())
                : metadata.prepareIncrementProducerEpoch(timeoutMs, expected.map(known -> known.epoch), at.nowMs());
        return Transition.checked(metadata, next);
    }

    /** AddPartitionsToTxn and AddOffsetsToTxn. A transaction that ends comes first: its producer may be about to get another id. */
    static Decision add(
            Transition at, ProducerIdAndEpoch producer, Set<TopicPartition> partitions, TransactionVersion client) {
        TxnTransitMetadata present = at.from();
        if (Transition.isPrepared(present.txnState())) {
            return Decision.stay(Errors.CONCURRENT_TRANSACTIONS);
        }
        Errors refusal = owner(present, producer);
        if (refusal != Errors.NONE) {
            return Decision.stay(refusal);
        }
        if (present.txnState() == TransactionState.ONGOING
                && present.topicPartitions().containsAll(partitions)) {
            return Decision.stay(Errors.NONE);
        }
        return Decision.to(at.add(partitions, client));
    }

    /** Whether it is the producer's transaction. */
    static Errors owner(TxnTransitMetadata present, ProducerIdAndEpoch producer) {
        if (present.producerId() != producer.producerId) {
            return Errors.INVALID_PRODUCER_ID_MAPPING;
        }
        return present.producerEpoch() == producer.epoch ? Errors.NONE : Errors.PRODUCER_FENCED;
    }
}
