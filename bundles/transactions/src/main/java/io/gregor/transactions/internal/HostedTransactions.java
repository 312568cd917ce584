package io.gregor.transactions.internal;

import io.gregor.internal.metadata.CoordinatorNews;
import io.gregor.internal.transactions.TransactionPartition;
import io.gregor.transactions.internal.MarkerSender.Completion;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime.CoordinatorReadOperation;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime.CoordinatorWriteOperation;
import org.apache.kafka.server.common.TransactionVersion;
import org.apache.kafka.timeline.SnapshotRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of the partitions of {@code __transaction_state} that this broker leads. Takes changes to the runtime, sends
 * the markers of each decision once it is committed, and those of decisions that it finds when it takes a partition over. Shared: any thread.
 */
public final class HostedTransactions implements CoordinatorNews.Coordinator {
    private static final Logger LOGGER = LoggerFactory.getLogger(HostedTransactions.class);

    private final CoordinatorRuntime<Transactions, TransactionRecord> runtime;
    private final MarkerSender sender;
    private final Supplier<TransactionVersion> serverVersion;
    private final Time time;
    private final Map<Integer, Integer> epochs = new ConcurrentHashMap<>();
    private final Set<Integer> recovering = ConcurrentHashMap.newKeySet();
    private volatile int partitions;

    /** Makes a runtime whose shards are made by a function, from partition and snapshots. */
    public interface RuntimeSource {
        CoordinatorRuntime<Transactions, TransactionRecord> with(
                BiFunction<Integer, SnapshotRegistry, Transactions> shards);
    }

    /**
     * No partitions yet.
     *
     * @param configuredPartitions until the first metadata image says how many there are
     */
    public HostedTransactions(
            int configuredPartitions,
            RuntimeSource runtime,
            MarkerSender sender,
            Supplier<TransactionVersion> serverVersion,
            Time time) {
        this.partitions = configuredPartitions;
        this.serverVersion = serverVersion;
        this.time = time;
        this.sender = sender;
        this.runtime = runtime.with(this::shard);
    }

    private Transactions shard(int partition, SnapshotRegistry snapshots) {
        return new Transactions(
                snapshots, partition, () -> epochs.getOrDefault(partition, 0), serverVersion, () -> recover(partition));
    }

    @Override
    public void startup(IntSupplier count) {
        partitions = count.getAsInt();
    }

    @Override
    public void onElection(int partition, int leaderEpoch) {
        epochs.put(partition, leaderEpoch);
        runtime.scheduleLoadOperation(log(partition), leaderEpoch);
    }

    @Override
    public void onResignation(int partition, OptionalInt leaderEpoch) {
        runtime.scheduleUnloadOperation(log(partition), leaderEpoch);
        sender.forget(partition);
    }

    int partitionFor(String transactionalId) {
        return TransactionPartition.of(transactionalId, partitions);
    }

    private static TopicPartition log(int partition) {
        return new TopicPartition(Topic.TRANSACTION_STATE_TOPIC_NAME, partition);
    }

    /** Changes a transaction; ends when the change is committed. The markers of a decision are on their way then. */
    CompletableFuture<Outcome> change(
            String what,
            String transactionalId,
            Function<Transactions, CoordinatorResult<Outcome, TransactionRecord>> change) {
        int partition = partitionFor(transactionalId);
        return write(what, log(partition), change::apply).handle((outcome, fault) -> {
            if (fault != null) {
                recoverAfter(partition, fault);
                return Outcome.refused(CoordinatorErrors.of(transactionalId, fault));
            }
            if (outcome.ending() != null) {
                sender.send(outcome.ending(), this::complete);
            }
            return outcome;
        });
    }

    /** Reads the partition of a transactional id. */
    <T> CompletableFuture<T> read(
            String what, String transactionalId, CoordinatorReadOperation<Transactions, T> operation) {
        try {
            return runtime.scheduleReadOperation(what, log(partitionFor(transactionalId)), operation);
        } catch (NotCoordinatorException stopped) {
            return CompletableFuture.failedFuture(stopped);
        }
    }

    private <T> CompletableFuture<T> write(
            String what,
            TopicPartition partition,
            CoordinatorWriteOperation<Transactions, T, TransactionRecord> operation) {
        try {
            return runtime.scheduleWriteOperation(what, partition, operation);
        } catch (NotCoordinatorException stopped) {
            return CompletableFuture.failedFuture(stopped);
        }
    }

    /** Reads all partitions that are here or on their way. */
    <T> List<CompletableFuture<T>> readAll(String what, CoordinatorReadOperation<Transactions, T> operation) {
        return runtime.scheduleReadAllOperation(what, operation);
    }

    /** Aborts the transactions that are too slow. */
    public void abortTimedOut() {
        runtime.activeCoordinators().forEach(partition -> {
            var unused = write(
                            "abort-timed-out-transactions",
                            partition,
                            shard -> shard.abortTimedOut(time.milliseconds()))
                    .whenComplete((endings, fault) -> {
                        if (fault != null) {
                            recoverAfter(partition.partition(), fault);
                        } else {
                            endings.forEach(this::abort);
                        }
                    });
        });
    }

    private void abort(Ending timedOut) {
        LOGGER.info(
                "transaction took too long and is aborted: transactionalId={} producerId={} timeoutMs={}",
                timedOut.transactionalId(),
                timedOut.prepared().producerId(),
                timedOut.prepared().txnTimeoutMs());
        sender.send(timedOut, this::complete);
    }

    /** Forgets the transactional ids that nobody uses. */
    public void expire(long expirationMs) {
        runtime.activeCoordinators().forEach(partition -> {
            var unused = write(
                            "expire-transactional-ids",
                            partition,
                            shard -> shard.expire(expirationMs, time.milliseconds()))
                    .whenComplete((count, fault) -> {
                        if (fault != null) {
                            LOGGER.debug("transactional ids expire later: partition={}", partition, fault);
                        } else if (count > 0) {
                            LOGGER.info("transactional ids expired: partition={} count={}", partition, count);
                        }
                    });
        });
    }

    /**
     * A decision may be in the log although writing it failed, as when it took too long: whatever was decided is looked for, and
     * found once the log is committed.
     */
    private void recoverAfter(int partition, Throwable fault) {
        Errors error = Errors.forException(Errors.maybeUnwrapException(fault));
        if (error == Errors.REQUEST_TIMED_OUT || error == Errors.UNKNOWN_SERVER_ERROR) {
            recover(partition);
        }
    }

    /** Sends the markers of every decision of a partition, once all that is in its log is committed. */
    private void recover(int partition) {
        if (!recovering.add(partition)) {
            return;
        }
        var unused = write("find-decisions", log(partition), Transactions::prepared)
                .whenComplete((endings, fault) -> {
                    recovering.remove(partition);
                    if (fault == null) {
                        endings.forEach(ending -> sender.send(ending, this::complete));
                    } else {
                        recoverAfter(partition, fault);
                    }
                });
    }

    private CompletableFuture<Completion> complete(Ending ended) {
        return write(
                        "complete-transaction",
                        log(ended.partition()),
                        shard -> shard.complete(ended, time.milliseconds()))
                .handle((complete, fault) -> fault == null ? Completion.OVER : completion(ended, fault));
    }

    private static Completion completion(Ending ended, Throwable fault) {
        return CoordinatorErrors.of(ended.transactionalId(), fault) == Errors.NOT_COORDINATOR
                ? Completion.OVER
                : Completion.AGAIN;
    }

    /** Ends the runtime and its threads. */
    public void close() throws Exception {
        runtime.close();
    }
}
