package io.gregor.groups.internal;

import io.gregor.internal.replication.CoordinatorWriter;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.transactions.TransactionVerification;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoaderImpl;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorRuntimeMetrics;
import org.apache.kafka.coordinator.share.ShareCoordinatorConfig;
import org.apache.kafka.coordinator.share.ShareCoordinatorRecordSerde;
import org.apache.kafka.coordinator.share.ShareCoordinatorService;
import org.apache.kafka.coordinator.share.metrics.ShareCoordinatorMetrics;
import org.apache.kafka.coordinator.share.metrics.ShareCoordinatorRuntimeMetrics;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.util.PartitionMetadataClient;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.SystemTimerReaper;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * Builds Kafka's coordinators of this broker over its partitions, each with its threads, not started up; whoever shuts one
 * down closes all that was made for it here. Immutable.
 *
 * @param live the settings, as they are whenever they are read
 */
public record Coordinators(int nodeId, AbstractConfig live, Metrics metrics, Replicas replicas) {
    /**
     * What the group coordinator works with, which its owner closes.
     *
     * @param persister where the state of share groups is kept
     * @param authorizer who decides which topics of a regular expression a member sees
     * @param ends tells where partitions end
     * @param verification of transactions in which offsets are committed
     */
    public record GroupParts(
            GroupConfigManager configs,
            Persister persister,
            Plugin<Authorizer> authorizer,
            PartitionMetadataClient ends,
            TransactionVerification verification) {}

    /** The group coordinator, of all kinds of groups. */
    public GroupCoordinatorService groups(GroupParts parts) {
        GroupCoordinatorConfig config = new GroupCoordinatorConfig(live);
        return new GroupCoordinatorService.Builder(nodeId, config)
                .withTime(Time.SYSTEM)
                .withTimer(timer("group-coordinator"))
                .withLoader(loader(new GroupCoordinatorRecordSerde(), config.offsetsLoadBufferSize()))
                .withWriter(new ReplicaWriter(replicas, parts.verification()))
                .withCoordinatorRuntimeMetrics(new GroupCoordinatorRuntimeMetrics(metrics))
                .withGroupCoordinatorMetrics(new GroupCoordinatorMetrics(KafkaYammerMetrics.defaultRegistry(), metrics))
                .withGroupConfigManager(parts.configs())
                .withPersister(parts.persister())
                .withAuthorizerPlugin(Optional.of(parts.authorizer()))
                .withPartitionMetadataClient(parts.ends())
                .build();
    }

    /** The share coordinator: the state of share partitions (KIP-932). */
    public ShareCoordinatorService shares() {
        ShareCoordinatorConfig config = new ShareCoordinatorConfig(live);
        return new ShareCoordinatorService.Builder(nodeId, config)
                .withTime(Time.SYSTEM)
                .withTimer(timer("share-coordinator"))
                .withLoader(loader(new ShareCoordinatorRecordSerde(), config.shareCoordinatorLoadBufferSize()))
                .withWriter(new CoordinatorWriter(replicas, CoordinatorWriter.ACKS_LEADER))
                .withCoordinatorRuntimeMetrics(new ShareCoordinatorRuntimeMetrics(metrics))
                .withCoordinatorMetrics(new ShareCoordinatorMetrics(metrics))
                .build();
    }

    /** A timer with a thread of its own, {@code executor-<name>}, and one that drives it. */
    static Timer timer(String name) {
        return new SystemTimerReaper(name + "-reaper", new SystemTimer(name));
    }

    private CoordinatorLoader<CoordinatorRecord> loader(CoordinatorRecordSerde serde, int bufferBytes) {
        return new CoordinatorLoaderImpl<>(
                Time.SYSTEM,
                replicas::log,
                this::endOffset,
                serde,
                bufferBytes,
                CoordinatorLoaderImpl.DEFAULT_COMMIT_INTERVAL_OFFSETS);
    }

    /** Empty ends a load: a follower's log is not the coordinator's any more. */
    private Optional<Long> endOffset(TopicPartition partition) {
        return replicas.isLeader(partition) ? replicas.log(partition).map(UnifiedLog::logEndOffset) : Optional.empty();
    }
}
