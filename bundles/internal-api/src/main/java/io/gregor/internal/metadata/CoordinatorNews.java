package io.gregor.internal.metadata;

import java.util.OptionalInt;
import java.util.function.IntSupplier;
import org.apache.kafka.image.LocalReplicaChanges;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicDelta;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.TopicsDelta;
import org.apache.kafka.server.fault.FaultHandler;
import org.jspecify.annotations.Nullable;

/**
 * Tells a coordinator which partitions of its internal topic this broker leads now or no longer, and what else changed in
 * the cluster. With the first image it starts the coordinator up. Owned by the metadata loader's thread.
 */
public final class CoordinatorNews implements MetadataFollower {
    private final int brokerId;
    private final String topic;
    private final int configuredPartitions;
    private final Coordinator coordinator;
    private final FaultHandler faults;

    /** Who is told: the coordinator of groups, share state or transactions. Called on the metadata loader's thread; must not block. */
    public interface Coordinator {
        /**
         * Called once, before all else.
         *
         * @param partitions how many partitions the internal topic has, or will have when it is created
         */
        void startup(IntSupplier partitions);

        /** This broker leads a partition from this leader epoch on: its state is to be loaded. */
        void onElection(int partition, int leaderEpoch);

        /**
         * This broker does not lead a partition any more: its state is to be unloaded.
         *
         * @param leaderEpoch of the new leader; empty if the replica is not here any more, which counts whatever the epoch was
         */
        void onResignation(int partition, OptionalInt leaderEpoch);

        /** The metadata changed; told after elections and resignations. */
        default void onMetadataUpdate(MetadataDelta delta, MetadataImage image) {}
    }

    /**
     * News for one coordinator.
     *
     * @param topic its internal topic
     * @param configuredPartitions how many partitions the topic will have, while it is not there
     */
    public CoordinatorNews(
            int brokerId, String topic, int configuredPartitions, Coordinator coordinator, FaultHandler faults) {
        this.brokerId = brokerId;
        this.topic = topic;
        this.configuredPartitions = configuredPartitions;
        this.coordinator = coordinator;
        this.faults = faults;
    }

    @Override
    public void begin(MetadataDelta delta, MetadataImage image) {
        attempt("starting up the coordinator", () -> coordinator.startup(() -> partitions(image)));
        follow(delta, image);
    }

    @Override
    public void follow(MetadataDelta delta, MetadataImage image) {
        attempt("telling the coordinator its partitions", () -> leadership(delta, image));
        attempt("telling the coordinator the metadata", () -> coordinator.onMetadataUpdate(delta, image));
    }

    private int partitions(MetadataImage image) {
        TopicImage present = image.topics().getTopic(topic);
        return present == null ? configuredPartitions : present.partitions().size();
    }

    private void leadership(MetadataDelta delta, MetadataImage image) {
        TopicsDelta topics = delta.topicsDelta();
        if (topics == null) {
            return;
        }
        if (topics.topicWasDeleted(topic)) {
            resignAll(topics);
        }
        TopicDelta changed = changedTopic(topics, image);
        if (changed == null) {
            return;
        }
        LocalReplicaChanges changes = changed.localChanges(brokerId);
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
        topics.image().getTopic(topic).partitions().forEach((index, partition) -> {
            if (partition.leader == brokerId) {
                coordinator.onResignation(index, OptionalInt.empty());
            }
        });
    }

    private @Nullable TopicDelta changedTopic(TopicsDelta topics, MetadataImage image) {
        TopicImage present = image.topics().getTopic(topic);
        return present == null ? null : topics.changedTopic(present.id());
    }

    private void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException fault) {
            faults.handleFault("Error " + what + ": topic=" + topic, fault);
        }
    }
}
