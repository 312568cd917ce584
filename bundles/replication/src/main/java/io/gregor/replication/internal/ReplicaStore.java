package io.gregor.replication.internal;

import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import io.gregor.internal.replication.LogDirMoves;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.storage.Logs;
import io.gregor.internal.storage.RemoteLogs;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.TopicsDelta;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.server.FetchManager;
import org.apache.kafka.server.LogAppendResult;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ReplicationConfigs;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.partition.PartitionListener;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.server.quota.ReplicaQuota;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.jspecify.annotations.Nullable;

/**
 * The broker's partitions and all that can be done with them, put together. Shared: any thread; {@link #apply} is the metadata
 * loader's, {@link #close} is called once.
 */
public final class ReplicaStore implements Replicas, AutoCloseable {
    private static final long DELETE_TIMEOUT_MS = 30_000;

    private final BrokerContext broker;
    private final Partitions partitions;
    private final ReplicaMetrics metrics;
    private final HighWatermarks highWatermarks;
    private final DirectoryAssignments assignments;
    private final IsrChanges isrChanges;
    private final DirectoryMoves moves;
    private final FetcherMetrics followers;
    private final LeadershipChanges changes;
    private final Appends appends;
    private final Fetches fetches;
    private final OffsetSearches searches;
    private final Deletions deletions;
    private final FetchManager sessions;
    private final Runnable failureWatch;
    private final long checkpointIntervalMs;
    private @Nullable ScheduledFuture<?> checkpointing;
    private @Nullable ScheduledFuture<?> lagWatch;

    /** Reads the settings; has no partitions until {@link #apply}. */
    public ReplicaStore(
            NodeConfig node,
            Logs logs,
            @Nullable RemoteLogs remote,
            LongSupplier brokerEpoch,
            KRaftMetadataCache metadata,
            ControllerChannels channels,
            ReplicaQuota moveQuota,
            Time time) {
        AbstractKafkaConfig values = node.values();
        WaitingOperations waiting = new WaitingOperations(
                node.nodeId(),
                values.getInt(ReplicationConfigs.PRODUCER_PURGATORY_PURGE_INTERVAL_REQUESTS_CONFIG),
                values.getInt(ReplicationConfigs.FETCH_PURGATORY_PURGE_INTERVAL_REQUESTS_CONFIG),
                values.getInt(ReplicationConfigs.DELETE_RECORDS_PURGATORY_PURGE_INTERVAL_REQUESTS_CONFIG));
        showUnused(node, remote, waiting);
        long maxLagMs = values.getLong(ReplicationConfigs.REPLICA_LAG_TIME_MAX_MS_CONFIG);
        broker = new BrokerContext(node.nodeId(), logs, remote, metadata, waiting, time, maxLagMs);
        partitions = new Partitions(metadata);
        metrics = new ReplicaMetrics(partitions, time);
        highWatermarks = new HighWatermarks(logs, partitions);
        assignments = new DirectoryAssignments(node.nodeId(), logs, channels, metadata::currentImage);
        moves = new DirectoryMoves(
                broker,
                partitions,
                assignments,
                moveQuota,
                moveThreads(node),
                values.getInt(ReplicationConfigs.REPLICA_FETCH_MAX_BYTES_CONFIG));
        followers = FetcherMetrics.ofNoFollowers();
        changes = new LeadershipChanges(broker, partitions, highWatermarks, assignments, moves, metrics);
        appends = new Appends(broker, partitions);
        isrChanges = new IsrChanges(broker, channels, brokerEpoch, metrics);
        fetches = new Fetches(broker, partitions, isrChanges, metrics);
        searches = new OffsetSearches(broker, partitions);
        deletions = new Deletions(broker, partitions);
        sessions = FetchSessions.create(
                values.getInt(ServerConfigs.MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS_CONFIG), time);
        checkpointIntervalMs = values.getLong(ReplicationConfigs.REPLICA_HIGH_WATERMARK_CHECKPOINT_INTERVAL_MS_CONFIG);
        failureWatch = logs.beforeFailure(changes::directoryFailed);
    }

    private static void showUnused(NodeConfig node, @Nullable RemoteLogs remote, WaitingOperations waiting) {
        if (remote == null) {
            waiting.showUnused(RemoteSearches.PURGATORY, node.nodeId());
            waiting.showUnused(RemoteReads.PURGATORY, node.nodeId());
        }
        if (!node.roles().contains(Role.CONTROLLER)) {
            waiting.showUnused("AlterAcls", node.nodeId());
        }
    }

    private static int moveThreads(NodeConfig node) {
        Integer configured = node.values().getInt(ServerConfigs.NUM_REPLICA_ALTER_LOG_DIRS_THREADS_CONFIG);
        return configured == null ? node.logDirs().size() : configured;
    }

    /** Moves between the log directories. */
    public LogDirMoves moves() {
        return moves;
    }

    /** Applies a change of the topics to the partitions here. */
    public void apply(TopicsDelta delta) {
        changes.apply(delta);
    }

    /** The logs of these topics have other settings by now. */
    public void settingsChanged(Set<String> topics) {
        changes.settingsChanged(topics);
    }

    /**
     * Begins to write the high watermarks down, and to look for followers that lag behind. After the first {@link #apply},
     * which reads the high watermarks.
     */
    public void start() {
        lagWatch = broker.logs()
                .scheduler()
                .schedule("isr-expiration", this::proposeLeaveOfLagging, 0, broker.maxLagMs() / 2);
        checkpointing = broker.logs()
                .scheduler()
                .schedule("highwatermark-checkpoint", highWatermarks::write, 0, checkpointIntervalMs);
    }

    private void proposeLeaveOfLagging() {
        partitions.all().forEach(isrChanges::proposeLeaveOfLagging);
    }

    @Override
    public void close() {
        failureWatch.run();
        if (lagWatch != null) {
            lagWatch.cancel(false);
        }
        isrChanges.close();
        if (checkpointing != null) {
            checkpointing.cancel(false);
        }
        moves.close();
        followers.close();
        assignments.close();
        changes.close();
        broker.waiting().close();
        if (checkpointing != null) {
            highWatermarks.write();
        }
        for (Partition partition : partitions.all()) {
            metrics.remove(partition.topicPartition());
        }
        metrics.close();
        FetchSessions.removeMetrics();
    }

    @Override
    public void append(
            short requiredAcks,
            long timeoutMs,
            boolean internalTopicsAllowed,
            AppendOrigin origin,
            List<PartitionRecords> records,
            RequestLocal local,
            Appended done) {
        appends.append(requiredAcks, timeoutMs, internalTopicsAllowed, origin, records, local, done);
    }

    @Override
    public Map<TopicIdPartition, LogAppendResult> appendToLeaders(
            short requiredAcks,
            boolean internalTopicsAllowed,
            AppendOrigin origin,
            Map<TopicIdPartition, MemoryRecords> records,
            RequestLocal local,
            Map<TopicPartition, VerificationGuard> guards,
            short transactionVersion) {
        return appends.appendToLeaders(
                requiredAcks, internalTopicsAllowed, origin, records, local, guards, transactionVersion);
    }

    @Override
    public @Nullable Runnable fetch(
            FetchParams params, List<PartitionFetch> asked, Consumer<List<FetchPartitionData>> done) {
        return fetches.fetch(params, asked, done);
    }

    @Override
    public FetchManager fetchSessions() {
        return sessions;
    }

    @Override
    public FoundOffset offsetForTimestamp(
            TopicPartition partition,
            long timestamp,
            FetchIsolation isolation,
            int currentLeaderEpoch,
            boolean onlyFromLeader) {
        return searches.find(new OffsetQuery(partition, timestamp, currentLeaderEpoch), isolation, onlyFromLeader);
    }

    @Override
    public void findOffsets(
            List<OffsetQuery> asked,
            FetchIsolation isolation,
            boolean onlyFromLeader,
            short version,
            long timeoutMs,
            Consumer<Collection<ListOffsetsTopicResponse>> done) {
        searches.find(asked, isolation, onlyFromLeader, version, timeoutMs, done);
    }

    @Override
    public EpochEndOffset endOfEpoch(TopicPartition topicPartition, int currentLeaderEpoch, int leaderEpoch) {
        Partition partition = partitions.online(topicPartition);
        return partition == null
                ? new EpochEndOffset()
                        .setPartition(topicPartition.partition())
                        .setErrorCode(partitions.error(topicPartition).code())
                : PartitionReads.endOfEpoch(partition, currentLeaderEpoch, leaderEpoch, true);
    }

    @Override
    public void deleteRecords(
            long timeoutMs,
            Map<TopicPartition, Long> offsets,
            boolean internalTopicsAllowed,
            Consumer<Map<TopicPartition, DeleteRecordsPartitionResult>> done) {
        deletions.delete(timeoutMs, offsets, internalTopicsAllowed, done);
    }

    @Override
    public CompletableFuture<Void> deleteRecordsBefore(
            TopicPartition partition, long offset, boolean internalTopicsAllowed) {
        return deletions.deleteBefore(DELETE_TIMEOUT_MS, partition, offset, internalTopicsAllowed);
    }

    @Override
    public DescribeProducersResponseData.PartitionResponse activeProducers(TopicPartition topicPartition) {
        Partition partition = partitions.online(topicPartition);
        if (partition != null) {
            return PartitionReads.producers(partition);
        }
        Errors error = partitions.error(topicPartition);
        return new DescribeProducersResponseData.PartitionResponse()
                .setPartitionIndex(topicPartition.partition())
                .setErrorCode(error.code());
    }

    @Override
    public boolean watch(TopicPartition topicPartition, PartitionListener listener) {
        Partition partition = partitions.online(topicPartition);
        return partition != null && partition.watch(listener);
    }

    @Override
    public void unwatch(TopicPartition topicPartition, PartitionListener listener) {
        Partition partition = partitions.online(topicPartition);
        if (partition != null) {
            partition.unwatch(listener);
        }
    }

    @Override
    public Runnable whenVisible(Consumer<TopicPartitionOperationKey> told) {
        return broker.waiting().whenVisible(told);
    }

    @Override
    public Optional<UnifiedLog> log(TopicPartition topicPartition) {
        Partition partition = partitions.online(topicPartition);
        return partition == null ? Optional.empty() : Optional.ofNullable(partition.log());
    }

    @Override
    public KnownLeader leader(TopicPartition topicPartition) {
        Partition partition = partitions.online(topicPartition);
        if (partition != null) {
            Leadership known = partition.leadership();
            return new KnownLeader(known.leaderId(), known.leaderEpoch());
        }
        return broker.metadata()
                .getLeaderAndIsr(topicPartition.topic(), topicPartition.partition())
                .map(known -> new KnownLeader(known.leader(), known.leaderEpoch()))
                .orElse(new KnownLeader(LeaderAndIsr.NO_LEADER, RecordBatch.NO_PARTITION_LEADER_EPOCH));
    }

    @Override
    public boolean isLeader(TopicPartition topicPartition) {
        Partition partition = partitions.online(topicPartition);
        return partition != null && partition.leadership().isLocal();
    }

    @Override
    public BrokerTopicStats topicStats() {
        return broker.logs().topicStats();
    }
}
