package io.gregor.transactions.internal;

import io.gregor.testing.Fake;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.coordinator.common.runtime.CoordinatorEvent;
import org.apache.kafka.coordinator.common.runtime.CoordinatorEventProcessor;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntimeMetricsImpl;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.timeline.SnapshotRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's runtime with its events run by the test, and logs that are lists: what is appended is committed at once. Owned by the
 * test's thread.
 */
final class ManualRuntime implements HostedTransactions.RuntimeSource, AutoCloseable {
    private final Metrics metrics = new Metrics();
    private final Events events = new Events();
    private final Logs logs = new Logs();
    private final Map<Integer, List<TransactionRecord>> stored = new HashMap<>();

    /** What a partition's log has when it is loaded. */
    void store(int partition, TransactionRecord... records) {
        stored.put(partition, List.of(records));
    }

    /** How many records have been appended to a partition. */
    long appended(int partition) {
        return logs.ends.getOrDefault(partition, 0L)
                - stored.getOrDefault(partition, List.of()).size();
    }

    /** Appends fail with this error from now on; none lets them pass. */
    void refuseAppends(Errors error) {
        logs.error = error;
    }

    /** Runs what there is to do, and what comes of it. */
    void run() {
        for (CoordinatorEvent event = events.waiting.poll(); event != null; event = events.waiting.poll()) {
            event.run();
        }
    }

    @Override
    public CoordinatorRuntime<Transactions, TransactionRecord> with(
            BiFunction<Integer, SnapshotRegistry, Transactions> shards) {
        return new CoordinatorRuntime.Builder<Transactions, TransactionRecord>()
                .withTime(Time.SYSTEM)
                .withTimer(Fake.of(
                        Timer.class,
                        (proxy, method, arguments) -> method.getName().equals("size") ? 0 : null))
                .withLogPrefix("")
                .withLogContext(new LogContext())
                .withEventProcessor(events)
                .withPartitionWriter(logs)
                .withLoader(new Loader())
                .withCoordinatorShardBuilderSupplier(() -> new Runtimes.ShardBuilder(shards))
                .withWriteTimeout(Duration.ofSeconds(5))
                .withCoordinatorRuntimeMetrics(new CoordinatorRuntimeMetricsImpl(metrics, "test", false))
                .withCoordinatorMetrics(new Runtimes.NoMetrics())
                .withSerializer(new TransactionRecordSerde())
                .withCompression(Compression.NONE)
                .withAppendLingerMs(OptionalInt.of(0))
                .withExecutorService(Executors.newSingleThreadExecutor())
                .withCachedBufferMaxBytesSupplier(() -> 1_000_000)
                .build();
    }

    @Override
    public void close() {
        metrics.close();
    }

    private static final class Events implements CoordinatorEventProcessor {
        private final Deque<CoordinatorEvent> waiting = new ArrayDeque<>();

        @Override
        public void enqueueLast(CoordinatorEvent event) {
            waiting.addLast(event);
        }

        @Override
        public void enqueueFirst(CoordinatorEvent event) {
            waiting.addFirst(event);
        }

        @Override
        public void close() {}
    }

    private static final class Logs implements PartitionWriter {
        private final Map<Integer, Long> ends = new HashMap<>();
        private final Map<Integer, List<Listener>> listeners = new HashMap<>();
        private @Nullable Errors error;

        @Override
        public void registerListener(TopicPartition partition, Listener listener) {
            listeners
                    .computeIfAbsent(partition.partition(), key -> new ArrayList<>())
                    .add(listener);
        }

        @Override
        public void deregisterListener(TopicPartition partition, Listener listener) {
            listeners.getOrDefault(partition.partition(), new ArrayList<>()).remove(listener);
        }

        @Override
        public LogConfig config(TopicPartition partition) {
            return new LogConfig(new Properties());
        }

        @Override
        public long append(
                TopicPartition partition, VerificationGuard guard, MemoryRecords records, short transactionVersion) {
            if (error != null && error != Errors.NONE) {
                throw error.exception();
            }
            long end = ends.getOrDefault(partition.partition(), 0L);
            for (Record ignored : records.records()) {
                end++;
            }
            ends.put(partition.partition(), end);
            for (Listener listener : listeners.getOrDefault(partition.partition(), List.of())) {
                listener.onHighWatermarkUpdated(partition, end);
            }
            return end;
        }

        @Override
        public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
                TopicPartition partition, String transactionalId, long producerId, short epoch, int apiVersion) {
            return CompletableFuture.completedFuture(VerificationGuard.SENTINEL);
        }

        @Override
        public CompletableFuture<Void> deleteRecords(TopicPartition partition, long beforeOffset) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private final class Loader implements CoordinatorLoader<TransactionRecord> {
        @Override
        public CompletableFuture<LoadSummary> load(
                TopicPartition partition, CoordinatorPlayback<TransactionRecord> shard) {
            long offset = 0;
            for (TransactionRecord record : stored.getOrDefault(partition.partition(), List.of())) {
                shard.replay(offset, -1, (short) -1, record);
                offset++;
                shard.updateLastWrittenOffset(offset);
                shard.updateLastCommittedOffset(offset);
            }
            logs.ends.put(partition.partition(), offset);
            return CompletableFuture.completedFuture(new LoadSummary(0, 0, 0, offset, 0));
        }

        @Override
        public void close() {}
    }
}
