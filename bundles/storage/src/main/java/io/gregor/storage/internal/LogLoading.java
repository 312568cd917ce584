package io.gregor.storage.internal;

import java.io.File;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.TopicsImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the logs at the start of the broker as the metadata wants them: what is not assigned to it is put aside, moves between
 * directories that a crash has interrupted are ended or left to be taken up. Immutable; used once, by the loader's thread.
 */
record LogLoading(int nodeId, TopicsImage topics, LogManager manager) {
    private static final Logger LOGGER = LoggerFactory.getLogger(LogLoading.class);

    void load() throws Exception {
        InterruptedSwaps.settle(List.copyOf(manager.liveLogDirs()), this::isAssigned);
        manager.startup(topics.topicsByName().keySet(), this::isStray);
        Set<TopicPartition> moving = moving();
        manager.recoverAbandonedFutureLogs(nodeId, this::directoryOfAbandoned);
        moving.removeAll(moving());
        moving.forEach(manager::resumeCleaning);
    }

    /** The partitions that have a copy in another directory. */
    private Set<TopicPartition> moving() {
        Set<TopicPartition> moving = new HashSet<>();
        for (UnifiedLog log : manager.allLogs()) {
            if (log.isFuture()) {
                moving.add(log.topicPartition());
            }
        }
        return moving;
    }

    private boolean isStray(UnifiedLog log) {
        if (log.topicId().isEmpty()) {
            LOGGER.info("stray log without a topic id: directory={}", log.dir());
            return true;
        }
        List<Integer> replicas = topics.partitionReplicas(
                log.topicId().get(), log.topicPartition().partition());
        return LogManager.isStrayReplica(replicas, nodeId, log);
    }

    /**
     * The directory where the metadata has a partition, if its log is not here: then a copy there takes its place. While the
     * log is here a copy may lack records that were acknowledged, and is completed first; Kafka does not.
     */
    private Uuid directoryOfAbandoned(Uuid topicId, int partition, int broker) {
        TopicImage topic = topics.getTopic(topicId);
        PartitionRegistration registration = topics.getPartition(topicId, partition);
        if (topic == null || registration == null) {
            return DirectoryId.UNASSIGNED;
        }
        UnifiedLog current =
                manager.getLog(new TopicPartition(topic.name(), partition)).orElse(null);
        boolean isHere = current != null && Objects.equals(current.topicId().orElse(null), topicId);
        return isHere ? DirectoryId.UNASSIGNED : registration.directory(broker);
    }

    private boolean isAssigned(TopicPartition partition, File logDirectory) {
        TopicImage topic = topics.getTopic(partition.topic());
        PartitionRegistration registration =
                topic == null ? null : topic.partitions().get(partition.partition());
        return registration != null
                && manager.directoryId(logDirectory.getAbsolutePath())
                        .filter(id -> isDirectory(registration, id))
                        .isPresent();
    }

    private boolean isDirectory(PartitionRegistration registration, Uuid id) {
        for (int replica : registration.replicas) {
            if (replica == nodeId) {
                return registration.directory(nodeId).equals(id);
            }
        }
        return false;
    }
}
