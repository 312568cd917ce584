package io.gregor.groups.internal;

import io.gregor.internal.replication.CoordinatorWriter;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.transactions.TransactionVerification;
import io.gregor.internal.transactions.TransactionVerification.Verified;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/** Writes the records of the group coordinator, which may belong to transactions, with acks=1. Shared: any thread. */
public final class ReplicaWriter extends CoordinatorWriter {
    private final TransactionVerification verification;

    /** A writer to these partitions. */
    public ReplicaWriter(Replicas replicas, TransactionVerification verification) {
        super(replicas, ACKS_LEADER);
        this.verification = verification;
    }

    @Override
    public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
            TopicPartition partition, String transactionalId, long producerId, short producerEpoch, int apiVersion) {
        return verification
                .verify(
                        transactionalId,
                        producerId,
                        producerEpoch,
                        Map.of(partition, RecordBatch.NO_SEQUENCE),
                        AddPartitionsToTxnManager.txnOffsetCommitRequestVersionToTransactionSupportedOperation(
                                apiVersion))
                .thenApply(verified -> guard(partition, verified));
    }

    private static VerificationGuard guard(TopicPartition partition, Verified verified) {
        Errors error = verified.errors().getOrDefault(partition, Errors.NONE);
        if (error != Errors.NONE) {
            throw error.exception();
        }
        return verified.guards().getOrDefault(partition, VerificationGuard.SENTINEL);
    }
}
