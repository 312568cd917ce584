package io.gregor.handlers.data.internal;

import io.gregor.internal.replication.Replicas.PartitionRecords;
import io.gregor.internal.transactions.TransactionVerification;
import io.gregor.internal.transactions.TransactionVerification.Verified;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.jspecify.annotations.Nullable;

/** What one Produce request appends to a transaction: all of one producer. Immutable. */
public final class TransactionalBatches {
    private final Map<TopicPartition, Integer> firstSequences = new HashMap<>();
    private long producerId = RecordBatch.NO_PRODUCER_ID;
    private short producerEpoch = RecordBatch.NO_PRODUCER_EPOCH;

    /**
     * Finds the batches that belong to a transaction.
     *
     * @throws InvalidPidMappingException if they are of more than one producer
     */
    public TransactionalBatches(List<PartitionRecords> records) {
        for (PartitionRecords one : records) {
            for (RecordBatch batch : one.records().batches()) {
                if (batch.isTransactional() && batch.hasProducerId()) {
                    take(batch);
                    firstSequences.putIfAbsent(one.partition().topicPartition(), batch.baseSequence());
                }
            }
        }
    }

    private void take(RecordBatch batch) {
        boolean isFirst = producerId == RecordBatch.NO_PRODUCER_ID;
        if (!isFirst && (batch.producerId() != producerId || batch.producerEpoch() != producerEpoch)) {
            throw new InvalidPidMappingException("Transactional records contained more than one producer ID");
        }
        producerId = batch.producerId();
        producerEpoch = batch.producerEpoch();
    }

    /** Has the transaction verified, if there is anything of one. */
    public CompletableFuture<Verified> verify(
            TransactionVerification verification, String transactionalId, short apiVersion) {
        return firstSequences.isEmpty()
                ? CompletableFuture.completedFuture(Verified.NOTHING)
                : verification.verify(
                        transactionalId, producerId, producerEpoch, firstSequences, operation(apiVersion));
    }

    private static TransactionSupportedOperation operation(short apiVersion) {
        return AddPartitionsToTxnManager.produceRequestVersionToTransactionSupportedOperation(apiVersion);
    }

    /**
     * What the producer is told of a partition whose transaction could not be verified. Where it is worth trying again but
     * old clients would give up, they are told of too few replicas, which they try again without asking for new metadata.
     */
    public static PartitionResponse refusal(Errors error, short apiVersion) {
        return switch (error) {
            case INVALID_TXN_STATE -> refusal(error, "Partition was not added to the transaction");
            case CONCURRENT_TRANSACTIONS ->
                operation(apiVersion).supportsEpochBump ? refusal(error, null) : unverifiable(error);
            case NETWORK_EXCEPTION, COORDINATOR_LOAD_IN_PROGRESS, COORDINATOR_NOT_AVAILABLE, NOT_COORDINATOR ->
                unverifiable(error);
            default -> refusal(error, null);
        };
    }

    private static PartitionResponse unverifiable(Errors error) {
        return refusal(
                Errors.NOT_ENOUGH_REPLICAS,
                "Unable to verify the partition has been added to the transaction. Underlying error: " + error);
    }

    private static PartitionResponse refusal(Errors error, @Nullable String message) {
        return new PartitionResponse(
                error,
                ProduceResponse.INVALID_OFFSET,
                RecordBatch.NO_TIMESTAMP,
                ProduceResponse.INVALID_OFFSET,
                List.of(),
                message);
    }
}
