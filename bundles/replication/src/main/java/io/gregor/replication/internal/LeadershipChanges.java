package io.gregor.replication.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.image.LocalReplicaChanges;
import org.apache.kafka.image.LocalReplicaChanges.PartitionInfo;
import org.apache.kafka.image.TopicsDelta;
import org.apache.kafka.server.common.StopPartition;
import org.apache.kafka.server.purgatory.DelayedProduce;
import org.apache.kafka.server.purgatory.DelayedRemoteListOffsets;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpoints;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings this broker's partitions in line with the metadata: deleted ones go first, since new ones may have their names, then
 * leaders, then followers. Called by the metadata loader's thread, and by the one that takes directories offline; one at a
 * time. Shared: any thread.
 */
final class LeadershipChanges implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger("state.change.logger");

    private final BrokerContext broker;
    private final Partitions partitions;
    private final HighWatermarks highWatermarks;
    private final DirectoryAssignments assignments;
    private final DirectoryMoves moves;
    private final ReplicaMetrics metrics;
    private final @Nullable RemotePartitions remote;
    private final Object lock = new Object();

    LeadershipChanges(
            BrokerContext broker,
            Partitions partitions,
            HighWatermarks highWatermarks,
            DirectoryAssignments assignments,
            DirectoryMoves moves,
            ReplicaMetrics metrics) {
        this.broker = broker;
        this.partitions = partitions;
        this.highWatermarks = highWatermarks;
        this.assignments = assignments;
        this.moves = moves;
        this.metrics = metrics;
        this.remote = broker.remote() == null
                ? null
                : new RemotePartitions(broker.remote().manager());
    }

    /** Applies what a change of the metadata means for this broker. */
    void apply(TopicsDelta delta) {
        LocalReplicaChanges changes = delta.localChanges(broker.id());
        synchronized (lock) {
            delete(changes.deletes(), delta);
            if (!changes.leaders().isEmpty() || !changes.followers().isEmpty()) {
                OffsetCheckpoints marks = highWatermarks.stored();
                for (Map.Entry<TopicPartition, PartitionInfo> led :
                        changes.leaders().entrySet()) {
                    lead(led.getKey(), led.getValue(), changes, marks);
                }
                for (Map.Entry<TopicPartition, PartitionInfo> followed :
                        changes.followers().entrySet()) {
                    follow(followed.getKey(), followed.getValue(), changes, marks);
                }
                forgetLeaderMetrics(changes.followers().keySet());
                if (remote != null) {
                    remote.changed(online(
                            changes.leaders().keySet(), changes.followers().keySet()));
                }
            }
            assignments.compare(changes.directoryIds(), moves);
        }
    }

    private List<Partition> online(Set<TopicPartition> led, Set<TopicPartition> followed) {
        return Stream.concat(led.stream(), followed.stream())
                .map(partitions::online)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The logs of these topics have other settings. */
    void settingsChanged(Set<String> topics) {
        if (remote == null || topics.isEmpty()) {
            return;
        }
        synchronized (lock) {
            Map<String, List<Partition>> byTopic = partitions.all().stream()
                    .filter(partition -> !partition.isOffline()
                            && topics.contains(partition.topicPartition().topic()))
                    .collect(Collectors.groupingBy(
                            partition -> partition.topicPartition().topic()));
            byTopic.forEach(remote::settingsChanged);
        }
    }

    @GuardedBy("lock")
    private void lead(
            TopicPartition topicPartition, PartitionInfo change, LocalReplicaChanges changes, OffsetCheckpoints marks) {
        boolean isNew = partitions.online(topicPartition) == null;
        Partition partition = findOrCreate(topicPartition, change.topicId());
        if (partition == null) {
            return;
        }
        try {
            partition.makeLeader(change.partition(), isNew, marks, directory(topicPartition, change, changes));
            moves.resume(partition);
        } catch (RuntimeException e) {
            failed(partition, "leader", e);
        }
    }

    @GuardedBy("lock")
    private void follow(
            TopicPartition topicPartition, PartitionInfo change, LocalReplicaChanges changes, OffsetCheckpoints marks) {
        boolean isNew = partitions.online(topicPartition) == null;
        Partition partition = findOrCreate(topicPartition, change.topicId());
        if (partition == null) {
            return;
        }
        try {
            if (partition.makeFollower(change.partition(), isNew, marks, directory(topicPartition, change, changes))) {
                partition.announceFollower();
            }
            moves.resume(partition);
            broker.waiting().leadershipLost(partition.key());
        } catch (RuntimeException e) {
            failed(partition, "follower", e);
        }
    }

    private static Uuid directory(TopicPartition partition, PartitionInfo change, LocalReplicaChanges changes) {
        Uuid assigned = changes.directoryIds().get(new TopicIdPartition(change.topicId(), partition));
        return assigned == null ? DirectoryId.UNASSIGNED : assigned;
    }

    /** One partition that cannot be had must not keep the others from being served. */
    private void failed(Partition partition, String role, RuntimeException fault) {
        if (fault instanceof KafkaStorageException) {
            LOGGER.info("become-{} skipped, log directory is offline: partition={}", role, partition.topicPartition());
        } else {
            LOGGER.error("become-{} failed, partition is offline: {}", role, partition, fault);
        }
        takeOffline(partition);
    }

    @GuardedBy("lock")
    private @Nullable Partition findOrCreate(TopicPartition topicPartition, Uuid topicId) {
        Partition existing = partitions.find(topicPartition);
        if (existing == null) {
            return create(topicPartition, topicId);
        }
        boolean isSameTopic = existing.topicId().equals(topicId);
        if (existing.isOffline()) {
            if (!isSameTopic) {
                return create(topicPartition, topicId);
            }
            LOGGER.warn("partition stays offline: partition={} topicId={}", topicPartition, topicId);
            return null;
        }
        if (!isSameTopic) {
            LOGGER.error(
                    "partition is here under another topic id: partition={} topicId={} here={}",
                    topicPartition,
                    topicId,
                    existing.topicId());
            return null;
        }
        return existing;
    }

    private Partition create(TopicPartition topicPartition, Uuid topicId) {
        Partition partition = new Partition(broker, topicPartition, topicId);
        partitions.put(partition);
        metrics.add(partition);
        return partition;
    }

    @GuardedBy("lock")
    private void delete(Set<TopicPartition> deleted, TopicsDelta delta) {
        if (deleted.isEmpty()) {
            return;
        }
        LOGGER.info("deleting partitions: count={}", deleted.size());
        Set<StopPartition> tiered =
                remote == null ? Set.of() : remote.leaving(online(deleted, Set.of()), delta::topicWasDeleted);
        Set<String> topics = new HashSet<>();
        for (TopicPartition topicPartition : deleted) {
            Partition partition = partitions.remove(topicPartition);
            if (partition != null) {
                topics.add(topicPartition.topic());
                partition.delete();
                moves.forget(topicPartition);
                removeMetrics(topicPartition);
                broker.waiting().leadershipLost(partition.key());
            }
        }
        for (String topic : topics) {
            if (!partitions.hasTopic(topic, false)) {
                broker.logs().topicStats().removeMetrics(topic);
            }
        }
        broker.logs()
                .manager()
                .asyncDelete(
                        new HashSet<>(deleted),
                        false,
                        (partition, fault) -> LOGGER.error("log could not be deleted: partition={}", partition, fault));
        if (remote != null) {
            remote.stop(tiered);
        }
    }

    @Override
    public void close() {
        if (remote != null) {
            remote.close();
        }
    }

    private void removeMetrics(TopicPartition topicPartition) {
        metrics.remove(topicPartition);
        DelayedProduce.removePartitionMetrics(topicPartition);
        if (remote != null) {
            DelayedRemoteListOffsets.removePartitionMetrics(topicPartition);
        }
    }

    private void forgetLeaderMetrics(Set<TopicPartition> followed) {
        Set<String> topics = new HashSet<>();
        followed.forEach(partition -> topics.add(partition.topic()));
        for (String topic : topics) {
            if (!partitions.hasTopic(topic, true)) {
                broker.logs().topicStats().removeOldLeaderMetrics(topic);
            }
        }
    }

    /** Takes the partitions in a directory that has failed offline. */
    void directoryFailed(String directory) {
        synchronized (lock) {
            for (Partition partition : partitions.all()) {
                UnifiedLog log = partition.log();
                if (log != null && log.parentDir().equals(directory)) {
                    LOGGER.warn(
                            "partition goes offline with its log directory: partition={} directory={}",
                            partition.topicPartition(),
                            directory);
                    takeOffline(partition);
                }
            }
            moves.directoryFailed(directory);
            highWatermarks.forget(directory);
        }
    }

    private void takeOffline(Partition partition) {
        partition.markOffline();
        moves.forget(partition.topicPartition());
        removeMetrics(partition.topicPartition());
        broker.waiting().leadershipLost(partition.key());
    }
}
