package io.gregor.transactions.internal;

import io.gregor.internal.node.NodeConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.coordinator.transaction.TransactionLogConfig;
import org.apache.kafka.coordinator.transaction.TransactionStateManagerConfig;

/**
 * The coordinator's settings, all of them read-only in Kafka. Immutable.
 *
 * @param brokerId this broker
 * @param logPartitions {@code transaction.state.log.num.partitions}
 * @param loadBufferBytes {@code transaction.state.log.load.buffer.size}
 * @param maxTimeoutMs {@code transaction.max.timeout.ms}
 * @param idExpirationMs {@code transactional.id.expiration.ms}
 * @param abortIntervalMs {@code transaction.abort.timed.out.transaction.cleanup.interval.ms}
 * @param expiryIntervalMs {@code transaction.remove.expired.transaction.cleanup.interval.ms}
 * @param isTwoPhaseCommitOn {@code transaction.two.phase.commit.enable}
 * @param requestTimeoutMs {@code request.timeout.ms}, for which a record may take to be in sync
 */
public record CoordinatorSettings(
        int brokerId,
        int logPartitions,
        int loadBufferBytes,
        int maxTimeoutMs,
        int idExpirationMs,
        int abortIntervalMs,
        int expiryIntervalMs,
        boolean isTwoPhaseCommitOn,
        int requestTimeoutMs) {
    /** As the node is configured. */
    public static CoordinatorSettings of(NodeConfig node) {
        AbstractConfig values = node.values();
        TransactionLogConfig log = new TransactionLogConfig(values);
        TransactionStateManagerConfig state = new TransactionStateManagerConfig(values);
        return new CoordinatorSettings(
                node.nodeId(),
                log.transactionTopicPartitions(),
                log.transactionLoadBufferSize(),
                state.transactionMaxTimeoutMs(),
                state.transactionalIdExpirationMs(),
                state.transactionAbortTimedOutTransactionCleanupIntervalMs(),
                state.transactionRemoveExpiredTransactionalIdCleanupIntervalMs(),
                state.transaction2PCEnabled(),
                node.values().requestTimeoutMs());
    }
}
