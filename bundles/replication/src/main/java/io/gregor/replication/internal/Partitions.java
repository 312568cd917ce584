package io.gregor.replication.internal;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.MetadataCache;
import org.jspecify.annotations.Nullable;

/** The partitions that have a replica on this broker. Shared: any thread; changed by leadership changes only. */
final class Partitions {
    private final ConcurrentHashMap<TopicPartition, Partition> partitions = new ConcurrentHashMap<>();
    private final MetadataCache metadata;

    Partitions(MetadataCache metadata) {
        this.metadata = metadata;
    }

    /** The partition, offline or not; null if there is none. */
    @Nullable
    Partition find(TopicPartition topicPartition) {
        return partitions.get(topicPartition);
    }

    /** The partition, if it is here and not offline; else null. */
    @Nullable
    Partition online(TopicPartition topicPartition) {
        Partition partition = partitions.get(topicPartition);
        return partition == null || partition.isOffline() ? null : partition;
    }

    /** NONE if the partition is here and online, else what a client is told. */
    Errors error(TopicPartition topicPartition) {
        Partition partition = partitions.get(topicPartition);
        if (partition != null) {
            return partition.isOffline() ? Errors.KAFKA_STORAGE_ERROR : Errors.NONE;
        }
        return metadata.contains(topicPartition) ? Errors.NOT_LEADER_OR_FOLLOWER : Errors.UNKNOWN_TOPIC_OR_PARTITION;
    }

    /** The partition, online; throws what a client is to be told. */
    Partition require(TopicPartition topicPartition) {
        Partition partition = partitions.get(topicPartition);
        if (partition == null) {
            throw error(topicPartition).exception("partition=" + topicPartition + " is not here");
        }
        if (partition.isOffline()) {
            throw new KafkaStorageException("partition=" + topicPartition + " is in an offline log directory");
        }
        return partition;
    }

    /** The same, of the topic with this id, unless the client sent none. */
    Partition require(TopicIdPartition asked) {
        Partition partition = require(asked.topicPartition());
        if (!asked.topicId().equals(partition.topicId()) && !asked.topicId().equals(Uuid.ZERO_UUID)) {
            throw new UnknownTopicIdException(
                    "partition=" + asked + " has another topic id here: topicId=" + partition.topicId());
        }
        return partition;
    }

    void put(Partition partition) {
        partitions.put(partition.topicPartition(), partition);
    }

    /** Takes the partition out, if it is here. */
    @Nullable
    Partition remove(TopicPartition topicPartition) {
        return partitions.remove(topicPartition);
    }

    /** All of them, those offline too. */
    Collection<Partition> all() {
        return partitions.values();
    }

    /** Whether any partition of a topic is here, led by this broker if so asked. */
    boolean hasTopic(String topic, boolean onlyLed) {
        for (Partition partition : partitions.values()) {
            if (partition.topicPartition().topic().equals(topic)
                    && (!onlyLed || partition.leadership().isLocal())) {
                return true;
            }
        }
        return false;
    }
}
