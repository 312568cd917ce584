package io.gregor.internal.transactions;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.InitProducerIdResult;
import org.apache.kafka.server.common.TransactionVersion;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator of the transactions whose ids belong to the partitions of {@code __transaction_state} that this broker leads
 * (KIP-98, KIP-360, KIP-890). A service with the property {@code role}, there once the first metadata image is applied. Shared:
 * any thread; nothing here waits. Futures end with an error in the result, never with an exception, on a thread of the
 * coordinator, which is not to be held up.
 */
public interface TransactionCoordinator {
    /** The partition of {@code __transaction_state} that a transactional id belongs to. */
    int partitionFor(String transactionalId);

    /**
     * Gives a producer its id and epoch, and fences those that had them before. A transaction under way is aborted, and
     * CONCURRENT_TRANSACTIONS tells the producer to ask again.
     *
     * @param transactionalId null for a producer that is only idempotent
     * @param expected what the producer has had; empty if it has nothing
     */
    CompletableFuture<InitProducerIdResult> initProducerId(
            @Nullable String transactionalId,
            int transactionTimeoutMs,
            boolean enableTwoPhaseCommit,
            boolean keepPreparedTransaction,
            Optional<ProducerIdAndEpoch> expected);

    /** Adds partitions to a transaction, which begins with the first. */
    CompletableFuture<Errors> addPartitions(
            @Nullable String transactionalId,
            ProducerIdAndEpoch producer,
            Collection<TopicPartition> partitions,
            TransactionVersion clientVersion);

    /** Whether partitions are in a transaction under way: one element each, TRANSACTION_ABORTABLE for one that is not. */
    CompletableFuture<Map<TopicPartition, Errors>> verifyPartitions(
            @Nullable String transactionalId, ProducerIdAndEpoch producer, Collection<TopicPartition> partitions);

    /** How a transaction was ended: with an error, or with the id and epoch that the producer has from now on. */
    record Ended(Errors error, ProducerIdAndEpoch producer) {}

    /** Ends a transaction; done once the decision is in the log: the markers follow. */
    CompletableFuture<Ended> end(
            @Nullable String transactionalId,
            ProducerIdAndEpoch producer,
            TransactionResult result,
            TransactionVersion clientVersion);

    /** What is known of these transactional ids, in the same order. */
    CompletableFuture<List<DescribeTransactionsResponseData.TransactionState>> describe(List<String> transactionalIds);

    /** The transactions that pass the filters, each of which lets all pass if it is empty. */
    CompletableFuture<ListTransactionsResponseData> list(ListTransactionsRequestData filters);
}
