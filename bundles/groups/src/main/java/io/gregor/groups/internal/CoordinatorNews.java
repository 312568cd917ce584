package io.gregor.groups.internal;

import io.gregor.internal.metadata.MetadataFollower;
import java.util.OptionalInt;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.LocalReplicaChanges;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicDelta;
import org.apache.kafka.image.TopicsDelta;
import org.apache.kafka.server.fault.FaultHandler;
import org.jspecify.annotations.Nullable;

/**
 * Tells the group coordinator what changed in the cluster: which partitions of {@code __consumer_offsets} this broker leads
 * now or no longer, dynamic group configs, topics. With the first image it starts the coordinator up. Owned by the
 * metadata loader's thread.
 */
public final class CoordinatorNews implements MetadataFollower {
    private static final String TOPIC = Topic.GROUP_METADATA_TOPIC_NAME;

    private final int brokerId;
    private final GroupCoordinator coordinator;
    private final int configuredPartitions;
    private final FaultHandler faults;

    /**
     * News for one coordinator.
     *
     * @param configuredPartitions {@code offsets.topic.num.partitions}: how many there will be while the topic is not there
     */
    public CoordinatorNews(int brokerId, GroupCoordinator coordinator, int configuredPartitions, FaultHandler faults) {
        this.brokerId = brokerId;
        this.coordinator = coordinator;
        this.configuredPartitions = configuredPartitions;
        this.faults = faults;
    }

    @Override
    public void begin(MetadataDelta delta, MetadataImage image) {
        attempt("starting up the group coordinator", () -> coordinator.startup(() -> partitions(image)));
        follow(delta, image);
    }

    @Override
    public void follow(MetadataDelta delta, MetadataImage image) {
        attempt("telling the group coordinator its partitions", () -> leadership(delta, image));
        attempt("telling the group coordinator the group configs", () -> configs(delta, image));
        attempt("telling the group coordinator the metadata", () -> coordinator.onMetadataUpdate(delta, image));
    }

    private int partitions(MetadataImage image) {
        var topic = image.topics().getTopic(TOPIC);
        return topic == null ? configuredPartitions : topic.partitions().size();
    }

    private void leadership(MetadataDelta delta, MetadataImage image) {
        TopicsDelta topics = delta.topicsDelta();
        if (topics == null) {
            return;
        }
        if (topics.topicWasDeleted(TOPIC)) {
            resignAll(topics);
        }
        TopicDelta topic = changedTopic(topics, image);
        if (topic == null) {
            return;
        }
        LocalReplicaChanges changes = topic.localChanges(brokerId);
        changes.deletes().forEach(gone -> coordinator.onResignation(gone.partition(), OptionalInt.empty()));
        changes.electedLeaders()
                .forEach((partition, info) ->
                        coordinator.onElection(partition.partition(), info.partition().leaderEpoch));
        changes.followers()
                .forEach((partition, info) ->
                        coordinator.onResignation(partition.partition(), OptionalInt.of(info.partition().leaderEpoch)));
    }

    /** Without an epoch: a resignation with the epoch of the election would be taken for an old one and ignored. */
    private void resignAll(TopicsDelta topics) {
        topics.image().getTopic(TOPIC).partitions().forEach((index, partition) -> {
            if (partition.leader == brokerId) {
                coordinator.onResignation(index, OptionalInt.empty());
            }
        });
    }

    private static @Nullable TopicDelta changedTopic(TopicsDelta topics, MetadataImage image) {
        var topic = image.topics().getTopic(TOPIC);
        return topic == null ? null : topics.changedTopic(topic.id());
    }

    private void configs(MetadataDelta delta, MetadataImage image) {
        if (delta.configsDelta() == null) {
            return;
        }
        for (ConfigResource resource : delta.configsDelta().changes().keySet()) {
            if (resource.type() == ConfigResource.Type.GROUP) {
                coordinator.updateGroupConfig(resource.name(), image.configs().configProperties(resource));
            }
        }
    }

    private void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException fault) {
            faults.handleFault("Error " + what, fault);
        }
    }
}
