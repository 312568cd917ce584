package io.gregor.transactions.internal;

import io.gregor.internal.metadata.MetadataFollower;
import java.util.Optional;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * What the coordinator needs to know of the cluster: who leads a partition, and which transaction protocol is agreed on. Knows it
 * before those it tells of the change. Shared: any thread reads; the metadata loader's thread writes.
 */
public final class Leaders {
    private final ListenerName interBroker;
    private volatile MetadataImage image = MetadataImage.EMPTY;

    /** Where a partition's marker goes. */
    enum Place {
        /** To {@code node}. */
        LED,
        /** Nowhere at the moment. */
        LEADERLESS,
        /** Nowhere any more: the partition was deleted. */
        GONE
    }

    /** Where a partition's marker goes; {@code node} is {@link Node#noNode} unless it is led. */
    record Leader(Place place, Node node) {
        private static final Leader LEADERLESS = new Leader(Place.LEADERLESS, Node.noNode());
        private static final Leader GONE = new Leader(Place.GONE, Node.noNode());
    }

    /** Knows nothing yet. */
    public Leaders(ListenerName interBroker) {
        this.interBroker = interBroker;
    }

    /** Follows the metadata, one step ahead of another follower. */
    public MetadataFollower before(MetadataFollower next) {
        return new MetadataFollower() {
            @Override
            public void begin(MetadataDelta delta, MetadataImage first) throws Exception {
                image = first;
                next.begin(delta, first);
            }

            @Override
            public void follow(MetadataDelta delta, MetadataImage changed) {
                image = changed;
                next.follow(delta, changed);
            }
        };
    }

    /** The leader of a partition. */
    Leader of(TopicPartition partition) {
        MetadataImage present = image;
        TopicImage topic = present.topics().getTopic(partition.topic());
        PartitionRegistration known = topic == null ? null : topic.partitions().get(partition.partition());
        if (known == null) {
            return Leader.GONE;
        }
        BrokerRegistration broker = present.cluster().broker(known.leader);
        Optional<Node> node = broker == null || broker.fenced() ? Optional.empty() : broker.node(interBroker.value());
        return node.map(reached -> new Leader(Place.LED, reached)).orElse(Leader.LEADERLESS);
    }

    /** {@code transaction.version} of the cluster. */
    public TransactionVersion serverVersion() {
        short level = image.features().finalizedVersions().getOrDefault(TransactionVersion.FEATURE_NAME, (short) 0);
        return TransactionVersion.fromFeatureLevel(level);
    }
}
