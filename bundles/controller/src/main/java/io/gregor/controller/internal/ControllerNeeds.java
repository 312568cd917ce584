package io.gregor.controller.internal;

import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.metadata.MetadataHealth;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * What a controller is built from. Immutable.
 *
 * @param tokens those of the metadata
 * @param topicDefaults those that count now, by the topic's key
 * @param policies the operator's own rules
 */
public record ControllerNeeds(
        NodeConfig config,
        NodeIdentity identity,
        MetadataHealth health,
        MetadataFeed feed,
        ControllerChannels channels,
        RaftClient<ApiMessageAndVersion> raft,
        DelegationTokenCache tokens,
        Supplier<Map<String, Object>> topicDefaults,
        ConfigPolicies policies) {}
