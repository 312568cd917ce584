package io.gregor.transactions.internal;

import java.util.Collection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.AppendCallback;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;

/**
 * Asks the coordinator of a transaction whether partitions are in it, or has them added. Shared: any thread; does not wait.
 * {@code AddPartitionsToTxnManager} of Kafka is one, over the network.
 */
@FunctionalInterface
public interface CoordinatorInquiry {
    /**
     * Asks.
     *
     * @param refused called once, on any thread, with the partitions that are not in the transaction and the error of each
     */
    void addOrVerifyTransaction(
            String transactionalId,
            long producerId,
            short producerEpoch,
            Collection<TopicPartition> partitions,
            AppendCallback refused,
            TransactionSupportedOperation operation);
}
