package io.gregor.groups.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.replication.Replicas;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoaderImpl;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorRuntimeMetrics;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.SystemTimerReaper;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/** Builds Kafka's group coordinator for this broker. Immutable. */
public final class Coordinators {
    private Coordinators() {}

    /**
     * A coordinator with its threads, not started up; whoever shuts it down closes all that it was built with.
     *
     * @param live its settings, as they are whenever they are read
     */
    public static GroupCoordinatorService build(
            NodeConfig config, AbstractConfig live, Metrics metrics, Replicas replicas) {
        GroupCoordinatorConfig groups = new GroupCoordinatorConfig(live);
        return new GroupCoordinatorService.Builder(config.nodeId(), groups)
                .withTime(Time.SYSTEM)
                .withTimer(new SystemTimerReaper("group-coordinator-reaper", new SystemTimer("group-coordinator")))
                .withLoader(new CoordinatorLoaderImpl<>(
                        Time.SYSTEM,
                        replicas::log,
                        partition -> endOffset(replicas, partition),
                        new GroupCoordinatorRecordSerde(),
                        groups.offsetsLoadBufferSize(),
                        CoordinatorLoaderImpl.DEFAULT_COMMIT_INTERVAL_OFFSETS))
                .withWriter(new ReplicaWriter(replicas))
                .withCoordinatorRuntimeMetrics(new GroupCoordinatorRuntimeMetrics(metrics))
                .withGroupCoordinatorMetrics(new GroupCoordinatorMetrics(KafkaYammerMetrics.defaultRegistry(), metrics))
                .withGroupConfigManager(new GroupConfigManager(groups, new ShareGroupConfig(config.values())))
                .withPersister(new NoOpStatePersister())
                .withAuthorizerPlugin(Optional.empty())
                .withPartitionMetadataClient(new UnservedPartitionMetadata())
                .build();
    }

    /** Empty ends a load: a follower's log is not the coordinator's any more. */
    private static Optional<Long> endOffset(Replicas replicas, TopicPartition partition) {
        return replicas.isLeader(partition) ? replicas.log(partition).map(UnifiedLog::logEndOffset) : Optional.empty();
    }
}
