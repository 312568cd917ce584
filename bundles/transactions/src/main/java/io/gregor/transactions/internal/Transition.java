package io.gregor.transactions.internal;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;

/** Has Kafka's {@link TransactionMetadata} work out the next state of a transaction from the present one, and check it. Immutable. */
record Transition(String transactionalId, TxnTransitMetadata from, long nowMs) {
    /** What a transactional id is before its producer has been given an epoch; never written as it is. */
    static TxnTransitMetadata unborn(long producerId, int timeoutMs, long nowMs) {
        return new TransactionMetadata(
                        "",
                        producerId,
                        RecordBatch.NO_PRODUCER_ID,
                        RecordBatch.NO_PRODUCER_ID,
                        RecordBatch.NO_PRODUCER_EPOCH,
                        RecordBatch.NO_PRODUCER_EPOCH,
                        timeoutMs,
                        TransactionState.EMPTY,
                        Set.of(),
                        -1,
                        nowMs,
                        TransactionVersion.TV_0)
                .prepareNoTransit();
    }

    /** The present state as Kafka's own class has it, which changes with what is asked of it. */
    TransactionMetadata metadata() {
        return new TransactionMetadata(
                transactionalId,
                from.producerId(),
                from.prevProducerId(),
                from.nextProducerId(),
                from.producerEpoch(),
                from.lastProducerEpoch(),
                from.txnTimeoutMs(),
                from.txnState(),
                from.topicPartitions(),
                from.txnStartTimestamp(),
                from.txnLastUpdateTimestamp(),
                from.clientTransactionVersion());
    }

    /** More partitions; the transaction is under way with the first. */
    TxnTransitMetadata add(Set<TopicPartition> partitions, TransactionVersion client) {
        TransactionMetadata present = metadata();
        return checked(present, present.prepareAddPartitions(partitions, nowMs, client));
    }

    /**
     * The decision to commit or to abort.
     *
     * @param nextProducerId what the producer goes on with when its epochs are used up; -1 if they are not
     */
    TxnTransitMetadata end(TransactionResult result, TransactionVersion client, long nextProducerId) {
        TransactionMetadata present = metadata();
        return checked(
                present,
                present.prepareAbortOrCommit(
                        prepared(result), client, nextProducerId, nowMs, from.txnState() != TransactionState.ONGOING));
    }

    /** Aborts in the name of the coordinator: the epoch that the producer has is none any more. */
    TxnTransitMetadata fence(TransactionVersion server) {
        TransactionMetadata present = metadata();
        TxnTransitMetadata fenced = present.prepareFenceProducerEpoch();
        present.pendingState(Optional.empty());
        if (!server.supportsEpochBump()) {
            present.setProducerEpoch(fenced.producerEpoch());
            present.setLastProducerEpoch(RecordBatch.NO_PRODUCER_EPOCH);
        }
        return checked(
                present,
                present.prepareAbortOrCommit(
                        TransactionState.PREPARE_ABORT, server, RecordBatch.NO_PRODUCER_ID, nowMs, false));
    }

    /** All partitions have the marker. */
    TxnTransitMetadata complete() {
        TransactionMetadata present = metadata();
        return checked(present, present.prepareComplete(nowMs));
    }

    /** Throws IllegalStateException if a transaction may not go from one to the other. */
    static TxnTransitMetadata checked(TransactionMetadata present, TxnTransitMetadata next) {
        present.completeTransitionTo(next);
        return next;
    }

    static boolean isPrepared(TransactionState state) {
        return state == TransactionState.PREPARE_COMMIT || state == TransactionState.PREPARE_ABORT;
    }

    static TransactionState prepared(TransactionResult result) {
        return result == TransactionResult.COMMIT ? TransactionState.PREPARE_COMMIT : TransactionState.PREPARE_ABORT;
    }
}
