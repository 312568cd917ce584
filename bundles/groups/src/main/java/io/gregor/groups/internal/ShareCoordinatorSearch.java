package io.gregor.groups.internal;

import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.persister.ShareCoordinatorMetadataCacheHelper;

/**
 * Where the persister finds the coordinator of a share partition: the leader of its partition of the state topic, as the
 * metadata say; where they do not, the persister asks a broker. Immutable.
 *
 * @param partitions which partition of the state topic a share partition has
 * @param listener over which brokers are reached
 */
public record ShareCoordinatorSearch(
        MetadataCache metadata, ToIntFunction<SharePartitionKey> partitions, ListenerName listener)
        implements ShareCoordinatorMetadataCacheHelper {
    @Override
    public boolean containsTopic(String topic) {
        return metadata.contains(topic);
    }

    @Override
    public Node getShareCoordinator(SharePartitionKey key, String stateTopic) {
        if (!metadata.contains(stateTopic)) {
            return Node.noNode();
        }
        return metadata.getLeaderAndIsr(stateTopic, partitions.applyAsInt(key))
                .map(LeaderAndIsr::leader)
                .flatMap(leader -> metadata.getAliveBrokerNode(leader, listener))
                .orElse(Node.noNode());
    }

    @Override
    public List<Node> getClusterNodes() {
        return metadata.getAliveBrokerNodes(listener);
    }
}
