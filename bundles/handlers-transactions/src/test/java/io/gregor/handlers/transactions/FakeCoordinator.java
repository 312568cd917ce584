package io.gregor.handlers.transactions;

import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.InitProducerIdResult;
import org.apache.kafka.server.common.TransactionVersion;
import org.jspecify.annotations.Nullable;

/** Writes down what it is asked, and answers all of it with one error, for the producer 9 in the epoch 4. Owned by the test's thread. */
final class FakeCoordinator implements TransactionCoordinator {
    private final List<String> asked = new ArrayList<>();
    private final List<String> ids = List.of("a", "b");
    private Errors error = Errors.NONE;
    private @Nullable RuntimeException fault;

    void answerWith(Errors next) {
        error = next;
    }

    void failWith(RuntimeException next) {
        fault = next;
    }

    List<String> asked() {
        return asked;
    }

    private <T> CompletableFuture<T> answer(String question, T value) {
        asked.add(question);
        return fault == null ? CompletableFuture.completedFuture(value) : CompletableFuture.failedFuture(fault);
    }

    @Override
    public int partitionFor(String transactionalId) {
        return 3;
    }

    @Override
    public CompletableFuture<InitProducerIdResult> initProducerId(
            @Nullable String transactionalId,
            int transactionTimeoutMs,
            boolean enableTwoPhaseCommit,
            boolean keepPreparedTransaction,
            Optional<ProducerIdAndEpoch> expected) {
        return answer(
                "init " + transactionalId + " " + transactionTimeoutMs + " 2pc=" + enableTwoPhaseCommit + " had="
                        + expected.map(FakeCoordinator::text).orElse("nothing"),
                new InitProducerIdResult(9, (short) 4, error));
    }

    @Override
    public CompletableFuture<Errors> addPartitions(
            @Nullable String transactionalId,
            ProducerIdAndEpoch producer,
            Collection<TopicPartition> partitions,
            TransactionVersion clientVersion) {
        return answer(
                "add " + transactionalId + " " + text(producer) + " " + partitions + " as "
                        + clientVersion.featureLevel(),
                error);
    }

    @Override
    public CompletableFuture<Map<TopicPartition, Errors>> verifyPartitions(
            @Nullable String transactionalId, ProducerIdAndEpoch producer, Collection<TopicPartition> partitions) {
        Map<TopicPartition, Errors> errors = new HashMap<>();
        partitions.forEach(partition -> errors.put(partition, error));
        return answer("verify " + transactionalId + " " + text(producer) + " " + partitions, errors);
    }

    @Override
    public CompletableFuture<Ended> end(
            @Nullable String transactionalId,
            ProducerIdAndEpoch producer,
            TransactionResult result,
            TransactionVersion clientVersion) {
        return answer(
                "end " + transactionalId + " " + text(producer) + " " + result + " as " + clientVersion.featureLevel(),
                new Ended(error, new ProducerIdAndEpoch(9, (short) 4)));
    }

    @Override
    public CompletableFuture<List<TransactionState>> describe(List<String> transactionalIds) {
        return answer(
                "describe " + transactionalIds,
                transactionalIds.stream().map(FakeCoordinator::described).toList());
    }

    private static TransactionState described(String id) {
        TransactionState state = new TransactionState().setTransactionalId(id).setTransactionState("Ongoing");
        state.topics().add(new TopicData().setTopic("open").setPartitions(List.of(0)));
        state.topics().add(new TopicData().setTopic("hidden").setPartitions(List.of(1)));
        return state;
    }

    @Override
    public CompletableFuture<ListTransactionsResponseData> list(ListTransactionsRequestData filters) {
        return answer(
                "list " + filters.stateFilters(),
                new ListTransactionsResponseData()
                        .setErrorCode(error.code())
                        .setTransactionStates(ids.stream()
                                .map(id -> new ListTransactionsResponseData.TransactionState().setTransactionalId(id))
                                .toList()));
    }

    private static String text(ProducerIdAndEpoch producer) {
        return producer.producerId + "/" + producer.epoch;
    }
}
