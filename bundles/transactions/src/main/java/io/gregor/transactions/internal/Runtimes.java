package io.gregor.transactions.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.replication.CoordinatorWriter;
import io.gregor.internal.replication.Replicas;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.coordinator.common.runtime.CoordinatorExecutor;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoaderImpl;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetrics;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetricsShard;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntimeMetrics;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntimeMetricsImpl;
import org.apache.kafka.coordinator.common.runtime.CoordinatorShardBuilder;
import org.apache.kafka.coordinator.common.runtime.CoordinatorTimer;
import org.apache.kafka.coordinator.common.runtime.MultiThreadedEventProcessor;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.transaction.TransactionStateManagerConfig;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.timeline.SnapshotRegistry;
import org.jspecify.annotations.Nullable;

/** Builds Kafka's coordinator runtime for the transactions of this broker. Immutable. */
public final class Runtimes {
    private static final int MAX_THREADS = 4;

    private Runtimes() {}

    /**
     * A runtime with its threads; closing it closes all that it was built with. Appends wait for nothing but for the events that
     * are there already, so that a transaction alone pays no linger.
     *
     * @param shards makes the shard of a partition of the log
     */
    public static CoordinatorRuntime<Transactions, TransactionRecord> build(
            CoordinatorSettings settings,
            Metrics metrics,
            Timer timer,
            Replicas replicas,
            BiFunction<Integer, SnapshotRegistry, Transactions> shards) {
        CoordinatorRuntimeMetrics measured =
                new CoordinatorRuntimeMetricsImpl(metrics, TransactionStateManagerConfig.METRICS_GROUP, false);
        LogContext log = new LogContext("[TransactionCoordinator id=" + settings.brokerId() + "] ");
        TransactionRecordSerde serde = new TransactionRecordSerde();
        return new CoordinatorRuntime.Builder<Transactions, TransactionRecord>()
                .withTime(Time.SYSTEM)
                .withTimer(timer)
                .withLogPrefix(log.logPrefix())
                .withLogContext(log)
                .withEventProcessor(new MultiThreadedEventProcessor(
                        log, "transaction-log-manager-", threads(), Time.SYSTEM, measured))
                .withPartitionWriter(new CoordinatorWriter(replicas, CoordinatorWriter.ACKS_ALL))
                .withLoader(new CoordinatorLoaderImpl<>(
                        Time.SYSTEM,
                        replicas::log,
                        partition -> endOffset(replicas, partition),
                        serde,
                        settings.loadBufferBytes(),
                        CoordinatorLoaderImpl.DEFAULT_COMMIT_INTERVAL_OFFSETS))
                .withCoordinatorShardBuilderSupplier(() -> new ShardBuilder(shards))
                .withWriteTimeout(Duration.ofMillis(settings.requestTimeoutMs()))
                .withCoordinatorRuntimeMetrics(measured)
                .withCoordinatorMetrics(new NoMetrics())
                .withSerializer(serde)
                .withCompression(Compression.NONE)
                .withAppendLingerMs(OptionalInt.empty())
                .withExecutorService(
                        Executors.newSingleThreadExecutor(EngineThread.daemons("transaction-coordinator-background-")))
                .withCachedBufferMaxBytesSupplier(() -> GroupCoordinatorConfig.CACHED_BUFFER_MAX_BYTES_DEFAULT)
                .build();
    }

    private static int threads() {
        return Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    }

    /** Empty ends a load: a follower's log is not the coordinator's any more. */
    private static Optional<Long> endOffset(Replicas replicas, TopicPartition partition) {
        return replicas.isLeader(partition) ? replicas.log(partition).map(UnifiedLog::logEndOffset) : Optional.empty();
    }

    /** Passes on what a shard needs of what the runtime has for it. Owned by the runtime's event of the partition. */
    static final class ShardBuilder implements CoordinatorShardBuilder<Transactions, TransactionRecord> {
        private final BiFunction<Integer, SnapshotRegistry, Transactions> shards;
        private @Nullable SnapshotRegistry snapshots;
        private @Nullable TopicPartition partition;

        ShardBuilder(BiFunction<Integer, SnapshotRegistry, Transactions> shards) {
            this.shards = shards;
        }

        @Override
        public ShardBuilder withSnapshotRegistry(SnapshotRegistry registry) {
            snapshots = registry;
            return this;
        }

        @Override
        public ShardBuilder withTopicPartition(TopicPartition ofShard) {
            partition = ofShard;
            return this;
        }

        @Override
        public ShardBuilder withLogContext(LogContext log) {
            return this;
        }

        @Override
        public ShardBuilder withTime(Time time) {
            return this;
        }

        @Override
        public ShardBuilder withTimer(CoordinatorTimer<TransactionRecord> timer) {
            return this;
        }

        @Override
        public ShardBuilder withExecutor(CoordinatorExecutor<TransactionRecord> executor) {
            return this;
        }

        @Override
        public ShardBuilder withCoordinatorMetrics(CoordinatorMetrics metrics) {
            return this;
        }

        @Override
        public Transactions build() {
            return shards.apply(
                    Objects.requireNonNull(partition, "partition").partition(),
                    Objects.requireNonNull(snapshots, "snapshots"));
        }
    }

    /** There is nothing to measure of a shard. Immutable. */
    static final class NoMetrics extends CoordinatorMetrics {
        @Override
        public CoordinatorMetricsShard newMetricsShard(SnapshotRegistry snapshots, TopicPartition partition) {
            return new NoShardMetrics(partition);
        }

        @Override
        public void activateMetricsShard(CoordinatorMetricsShard shard) {}

        @Override
        public void deactivateMetricsShard(CoordinatorMetricsShard shard) {}

        @Override
        public void onUpdateLastCommittedOffset(TopicPartition partition, long offset) {}
    }

    private record NoShardMetrics(TopicPartition topicPartition) implements CoordinatorMetricsShard {
        @Override
        public void record(String sensorName) {}

        @Override
        public void record(String sensorName, double value) {}

        @Override
        public void commitUpTo(long offset) {}
    }
}
