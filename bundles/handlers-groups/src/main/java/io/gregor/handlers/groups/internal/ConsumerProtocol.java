package io.gregor.handlers.groups.internal;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import java.util.List;
import org.apache.kafka.coordinator.group.Group.GroupType;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.image.FeaturesImage;
import org.apache.kafka.server.common.GroupVersion;

/**
 * Whether the consumer protocol (KIP-848) is on: configured in {@code group.coordinator.rebalance.protocols} and finalized
 * as {@code group.version}. Immutable.
 */
public final class ConsumerProtocol {
    private final boolean isConfigured;
    private final ServedMetadata metadata;

    /** Looks at the configuration once, at the metadata each time. Kafka still honours the key that it will remove. */
    @SuppressWarnings("removal")
    public ConsumerProtocol(NodeConfig config, ServedMetadata metadata) {
        List<String> protocols =
                config.values().getList(GroupCoordinatorConfig.GROUP_COORDINATOR_REBALANCE_PROTOCOLS_CONFIG);
        this.isConfigured = protocols.stream().anyMatch(name -> GroupType.parse(name) == GroupType.CONSUMER);
        this.metadata = metadata;
    }

    /** Whether its requests are served just now. */
    public boolean isOn() {
        if (!isConfigured) {
            return false;
        }
        FeaturesImage features = metadata.image().features();
        short level = features.finalizedVersions().getOrDefault(GroupVersion.FEATURE_NAME, (short) 0);
        return GroupVersion.fromFeatureLevel(level).isConsumerRebalanceProtocolSupported();
    }
}
