package io.gregor.transactions.internal;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.transactions.TransactionVerification;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/**
 * Verifies what the logs of this broker do not know yet. A transaction that its producer has just ended is still being
 * completed when the producer's next batch comes: the coordinator is asked again for a while then, so that the client need
 * not (KIP-890, {@code add.partitions.to.txn.retry.backoff.ms}). Shared: any thread.
 */
public final class BatchVerification implements TransactionVerification {
    private final Replicas replicas;
    private final CoordinatorInquiry coordinators;
    private final ProducerStateManagerConfig settings;
    private final Scheduler scheduler;
    private final Time time;
    private final Retry retry;

    /**
     * How long a coordinator that completes a transaction is asked again.
     *
     * @param backoffMs the pause before each time
     * @param maxMs no more after so long
     */
    public record Retry(long backoffMs, long maxMs) {}

    /**
     * Verification for these partitions.
     *
     * @param settings whether verification is on, whenever it is looked at
     */
    public BatchVerification(
            Replicas replicas,
            CoordinatorInquiry coordinators,
            ProducerStateManagerConfig settings,
            Scheduler scheduler,
            Time time,
            Retry retry) {
        this.replicas = replicas;
        this.coordinators = coordinators;
        this.settings = settings;
        this.scheduler = scheduler;
        this.time = time;
        this.retry = retry;
    }

    @Override
    public CompletableFuture<Verified> verify(
            String transactionalId,
            long producerId,
            short producerEpoch,
            Map<TopicPartition, Integer> firstSequences,
            TransactionSupportedOperation operation) {
        if (!operation.supportsEpochBump && !settings.transactionVerificationEnabled()) {
            return CompletableFuture.completedFuture(Verified.NOTHING);
        }
        return new Call(transactionalId, producerId, producerEpoch, firstSequences, operation).start();
    }

    /** One verification; owned by whoever asks, then by the thread that answers. */
    private final class Call {
        private final String transactionalId;
        private final long producerId;
        private final short producerEpoch;
        private final Map<TopicPartition, Integer> firstSequences;
        private final TransactionSupportedOperation operation;
        private final long startMs = time.milliseconds();
        private final CompletableFuture<Verified> verified = new CompletableFuture<>();

        Call(
                String transactionalId,
                long producerId,
                short producerEpoch,
                Map<TopicPartition, Integer> firstSequences,
                TransactionSupportedOperation operation) {
            this.transactionalId = transactionalId;
            this.producerId = producerId;
            this.producerEpoch = producerEpoch;
            this.firstSequences = firstSequences;
            this.operation = operation;
        }

        CompletableFuture<Verified> start() {
            Map<TopicPartition, VerificationGuard> guards = new HashMap<>();
            Map<TopicPartition, Errors> errors = new HashMap<>();
            firstSequences.forEach((partition, sequence) -> {
                try {
                    VerificationGuard guard = leaderLog(partition)
                            .maybeStartTransactionVerification(
                                    producerId, sequence, producerEpoch, operation.supportsEpochBump);
                    if (!guard.equals(VerificationGuard.SENTINEL)) {
                        guards.put(partition, guard);
                    }
                } catch (ApiException e) {
                    errors.put(partition, Errors.forException(e));
                }
            });
            if (guards.isEmpty()) {
                verified.complete(new Verified(guards, errors));
            } else {
                ask(guards, errors);
            }
            return verified;
        }

        private void again() {
            var unused = start();
        }

        private void ask(Map<TopicPartition, VerificationGuard> guards, Map<TopicPartition, Errors> errors) {
            coordinators.addOrVerifyTransaction(
                    transactionalId,
                    producerId,
                    producerEpoch,
                    guards.keySet(),
                    refused -> answered(guards, errors, refused),
                    operation);
        }

        private void answered(
                Map<TopicPartition, VerificationGuard> guards,
                Map<TopicPartition, Errors> errors,
                Map<TopicPartition, Errors> refused) {
            if (isCompleting(refused)) {
                var unused = scheduler.scheduleOnce("retry-add-partitions-to-txn", this::again, retry.backoffMs());
                return;
            }
            errors.putAll(refused);
            verified.complete(new Verified(guards, errors));
        }

        private boolean isCompleting(Map<TopicPartition, Errors> refused) {
            return operation.supportsEpochBump
                    && refused.containsValue(Errors.CONCURRENT_TRANSACTIONS)
                    && time.milliseconds() - startMs < retry.maxMs();
        }
    }

    private UnifiedLog leaderLog(TopicPartition partition) {
        UnifiedLog log = replicas.log(partition)
                .orElseThrow(() -> new UnknownTopicOrPartitionException("no replica here: partition=" + partition));
        if (!replicas.isLeader(partition)) {
            throw new NotLeaderOrFollowerException("not led here: partition=" + partition);
        }
        return log;
    }
}
