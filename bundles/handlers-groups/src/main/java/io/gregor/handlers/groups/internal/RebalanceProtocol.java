package io.gregor.handlers.groups.internal;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.coordinator.group.Group.GroupType;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.server.common.GroupVersion;
import org.apache.kafka.server.common.ShareVersion;
import org.apache.kafka.server.common.StreamsVersion;

/**
 * Whether the protocol of a kind of groups is on: finalized as a feature of the cluster, and for some configured in
 * {@code group.coordinator.rebalance.protocols}. Immutable.
 */
public final class RebalanceProtocol {
    private final boolean isConfigured;
    private final ServedMetadata metadata;
    private final String feature;
    private final Predicate<Short> isOnAt;

    private RebalanceProtocol(boolean isConfigured, ServedMetadata metadata, String feature, Predicate<Short> isOnAt) {
        this.isConfigured = isConfigured;
        this.metadata = metadata;
        this.feature = feature;
        this.isOnAt = isOnAt;
    }

    /** That of consumer groups (KIP-848): configured, and {@code group.version}. */
    public static RebalanceProtocol ofConsumers(NodeConfig config, ServedMetadata metadata) {
        return new RebalanceProtocol(
                isConfigured(config, GroupType.CONSUMER),
                metadata,
                GroupVersion.FEATURE_NAME,
                level -> GroupVersion.fromFeatureLevel(level).isConsumerRebalanceProtocolSupported());
    }

    /** That of streams groups (KIP-1071): configured, and {@code streams.version}. */
    public static RebalanceProtocol ofStreams(NodeConfig config, ServedMetadata metadata) {
        return new RebalanceProtocol(
                isConfigured(config, GroupType.STREAMS),
                metadata,
                StreamsVersion.FEATURE_NAME,
                level -> StreamsVersion.fromFeatureLevel(level).streamsGroupSupported());
    }

    /** That of share groups (KIP-932): {@code share.version} alone. */
    public static RebalanceProtocol ofShares(ServedMetadata metadata) {
        return new RebalanceProtocol(
                true, metadata, ShareVersion.FEATURE_NAME, level -> ShareVersion.fromFeatureLevel(level)
                        .supportsShareGroups());
    }

    /** Whether its requests are served just now. */
    public boolean isOn() {
        return isConfigured
                && isOnAt.test(metadata.image().features().finalizedVersions().getOrDefault(feature, (short) 0));
    }

    /** Read once. Kafka still honours the key that it will remove. */
    @SuppressWarnings("removal")
    private static boolean isConfigured(NodeConfig config, GroupType type) {
        List<String> protocols =
                config.values().getList(GroupCoordinatorConfig.GROUP_COORDINATOR_REBALANCE_PROTOCOLS_CONFIG);
        return protocols.stream().anyMatch(name -> GroupType.parse(name) == type);
    }
}
