package io.gregor.transactions.internal;

import static java.util.stream.Collectors.toMap;

import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.transactions.internal.Listings.Filter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.InitProducerIdResult;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.jspecify.annotations.Nullable;

/** Answers what is asked of the coordinator out of {@link HostedTransactions}. Shared: any thread. */
public final class RuntimeCoordinator implements TransactionCoordinator {
    private final HostedTransactions hosted;
    private final CoordinatorSettings settings;
    private final LongSupplier newProducerIds;
    private final Supplier<TransactionVersion> serverVersion;
    private final Beginnings beginnings;
    private final Endings endings;
    private final Time time;

    /**
     * A coordinator of what is hosted.
     *
     * @param newProducerIds throws the error for the client if there is none
     */
    public RuntimeCoordinator(
            HostedTransactions hosted,
            CoordinatorSettings settings,
            LongSupplier newProducerIds,
            Supplier<TransactionVersion> serverVersion,
            Time time) {
        this.hosted = hosted;
        this.settings = settings;
        this.newProducerIds = newProducerIds;
        this.serverVersion = serverVersion;
        this.beginnings = new Beginnings(newProducerIds);
        this.endings = new Endings(newProducerIds);
        this.time = time;
    }

    @Override
    public int partitionFor(String transactionalId) {
        return hosted.partitionFor(transactionalId);
    }

    @Override
    public CompletableFuture<InitProducerIdResult> initProducerId(
            @Nullable String transactionalId,
            int transactionTimeoutMs,
            boolean enableTwoPhaseCommit,
            boolean keepPreparedTransaction,
            Optional<ProducerIdAndEpoch> expected) {
        if (transactionalId == null) {
            return CompletableFuture.completedFuture(idempotent());
        }
        Errors refusal = refusal(transactionalId, transactionTimeoutMs, enableTwoPhaseCommit, keepPreparedTransaction);
        if (refusal != Errors.NONE) {
            return CompletableFuture.completedFuture(noProducer(refusal));
        }
        int timeoutMs = enableTwoPhaseCommit ? Integer.MAX_VALUE : transactionTimeoutMs;
        long nowMs = time.milliseconds();
        return hosted.change(
                        "init-producer-id",
                        transactionalId,
                        shard -> shard.changeOrCreate(
                                transactionalId,
                                nowMs,
                                () -> Transition.unborn(newProducerIds.getAsLong(), timeoutMs, nowMs),
                                at -> beginnings.init(at, timeoutMs, expected, serverVersion.get())))
                .thenApply(RuntimeCoordinator::initialized);
    }

    private InitProducerIdResult idempotent() {
        try {
            return new InitProducerIdResult(newProducerIds.getAsLong(), (short) 0, Errors.NONE);
        } catch (RuntimeException noneNow) {
            return noProducer(Errors.forException(noneNow));
        }
    }

    private Errors refusal(
            String transactionalId, int timeoutMs, boolean enableTwoPhaseCommit, boolean keepPreparedTransaction) {
        if (transactionalId.isEmpty()) {
            return Errors.INVALID_REQUEST;
        }
        if (enableTwoPhaseCommit && !settings.isTwoPhaseCommitOn()) {
            return Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        }
        if (keepPreparedTransaction) {
            return Errors.UNSUPPORTED_VERSION;
        }
        boolean isTimeoutGood = enableTwoPhaseCommit || (timeoutMs > 0 && timeoutMs <= settings.maxTimeoutMs());
        return isTimeoutGood ? Errors.NONE : Errors.INVALID_TRANSACTION_TIMEOUT;
    }

    private static InitProducerIdResult initialized(Outcome outcome) {
        ProducerIdAndEpoch producer = outcome.producer();
        return new InitProducerIdResult(producer.producerId, producer.epoch, outcome.error());
    }

    private static InitProducerIdResult noProducer(Errors error) {
        return initialized(Outcome.refused(error));
    }

    @Override
    public CompletableFuture<Errors> addPartitions(
            @Nullable String transactionalId,
            ProducerIdAndEpoch producer,
            Collection<TopicPartition> partitions,
            TransactionVersion clientVersion) {
        if (transactionalId == null || transactionalId.isEmpty()) {
            return CompletableFuture.completedFuture(Errors.INVALID_REQUEST);
        }
        Set<TopicPartition> added = Set.copyOf(partitions);
        long nowMs = time.milliseconds();
        return hosted.change(
                        "add-partitions-to-txn",
                        transactionalId,
                        shard -> shard.change(
                                transactionalId, nowMs, at -> Beginnings.add(at, producer, added, clientVersion)))
                .thenApply(Outcome::error);
    }

    @Override
    public CompletableFuture<Map<TopicPartition, Errors>> verifyPartitions(
            @Nullable String transactionalId, ProducerIdAndEpoch producer, Collection<TopicPartition> partitions) {
        Set<TopicPartition> asked = Set.copyOf(partitions);
        if (transactionalId == null || transactionalId.isEmpty()) {
            return CompletableFuture.completedFuture(all(asked, Errors.INVALID_REQUEST));
        }
        return hosted.read(
                        "verify-partitions",
                        transactionalId,
                        (shard, offset) -> verified(shard.committed(transactionalId, offset), producer, asked))
                .exceptionally(fault -> all(asked, CoordinatorErrors.of(transactionalId, fault)));
    }

    private static Map<TopicPartition, Errors> verified(
            @Nullable TxnTransitMetadata state, ProducerIdAndEpoch producer, Set<TopicPartition> asked) {
        if (state == null) {
            return all(asked, Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        Errors refusal = Beginnings.owner(state, producer);
        if (refusal != Errors.NONE) {
            return all(asked, refusal);
        }
        if (Transition.isPrepared(state.txnState())) {
            return all(asked, Errors.CONCURRENT_TRANSACTIONS);
        }
        return asked.stream()
                .collect(toMap(
                        partition -> partition,
                        partition -> state.topicPartitions().contains(partition)
                                ? Errors.NONE
                                : Errors.TRANSACTION_ABORTABLE));
    }

    private static Map<TopicPartition, Errors> all(Set<TopicPartition> partitions, Errors error) {
        return partitions.stream().collect(toMap(partition -> partition, partition -> error));
    }

    @Override
    public CompletableFuture<Ended> end(
            @Nullable String transactionalId,
            ProducerIdAndEpoch producer,
            TransactionResult result,
            TransactionVersion clientVersion) {
        if (transactionalId == null || transactionalId.isEmpty()) {
            return CompletableFuture.completedFuture(new Ended(Errors.INVALID_REQUEST, Outcome.NO_PRODUCER));
        }
        long nowMs = time.milliseconds();
        return hosted.change(
                        "end-txn",
                        transactionalId,
                        shard -> shard.change(
                                transactionalId, nowMs, at -> endings.end(at, producer, result, clientVersion)))
                .thenApply(outcome -> new Ended(outcome.error(), outcome.producer()));
    }

    @Override
    public CompletableFuture<List<DescribeTransactionsResponseData.TransactionState>> describe(
            List<String> transactionalIds) {
        return inOrder(transactionalIds.stream().map(this::describe));
    }

    private CompletableFuture<DescribeTransactionsResponseData.TransactionState> describe(String transactionalId) {
        if (transactionalId.isEmpty()) {
            return CompletableFuture.completedFuture(Listings.refused(transactionalId, Errors.INVALID_REQUEST));
        }
        return hosted.read(
                        "describe-transaction",
                        transactionalId,
                        (shard, offset) ->
                                Listings.described(transactionalId, shard.committed(transactionalId, offset)))
                .exceptionally(
                        fault -> Listings.refused(transactionalId, CoordinatorErrors.of(transactionalId, fault)));
    }

    @Override
    public CompletableFuture<ListTransactionsResponseData> list(ListTransactionsRequestData filters) {
        Filter filter;
        try {
            filter = Listings.filter(filters, time.milliseconds());
        } catch (InvalidRegularExpression e) {
            return CompletableFuture.completedFuture(
                    new ListTransactionsResponseData().setErrorCode(Errors.INVALID_REGULAR_EXPRESSION.code()));
        }
        ListTransactionsResponseData answer =
                new ListTransactionsResponseData().setUnknownStateFilters(filter.unknownStates());
        return inOrder(
                        hosted
                                .readAll(
                                        "list-transactions",
                                        (shard, offset) -> shard.committed(offset, filter.wanted()))
                                .stream()
                                .map(RuntimeCoordinator::orNothing))
                .thenApply(lists -> answer.setTransactionStates(lists.stream()
                        .flatMap(List::stream)
                        .map(Listings::listed)
                        .toList()))
                .exceptionally(fault -> new ListTransactionsResponseData()
                        .setErrorCode(CoordinatorErrors.of("", fault).code()));
    }

    /** A partition that went to another broker meanwhile has nothing to list. */
    private static <T> CompletableFuture<List<T>> orNothing(CompletableFuture<List<T>> listed) {
        return listed.exceptionallyCompose(fault -> CoordinatorErrors.of("", fault) == Errors.NOT_COORDINATOR
                ? CompletableFuture.completedFuture(List.of())
                : CompletableFuture.failedFuture(fault));
    }

    private static <T> CompletableFuture<List<T>> inOrder(Stream<CompletableFuture<T>> parts) {
        List<CompletableFuture<T>> all = parts.toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }
}
