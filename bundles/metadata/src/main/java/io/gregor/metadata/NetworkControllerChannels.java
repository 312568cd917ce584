package io.gregor.metadata;

import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.server.NodeToControllerChannelManagerImpl;
import org.apache.kafka.server.RaftControllerNodeProvider;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Opens Kafka's channels to the leader that Raft knows, over the network even if that is this node. Shared: any thread.
 */
@Component
public final class NetworkControllerChannels implements ControllerChannels {
    private final NodeConfig config;
    private final Metrics metrics;
    private final RaftControllerNodeProvider controllers;

    /** Learns from Raft who the controller is. */
    @Activate
    public NetworkControllerChannels(
            @Reference NodeConfig config,
            @Reference Metrics metrics,
            @Reference RaftManager<ApiMessageAndVersion> raft) {
        this.config = config;
        this.metrics = metrics;
        controllers = RaftControllerNodeProvider.create(raft, config.values());
    }

    @Override
    public NodeToControllerChannelManager channel(Role role, String name, long retryTimeoutMs) {
        return EngineThread.call(() -> new NodeToControllerChannelManagerImpl(
                controllers,
                Time.SYSTEM,
                metrics,
                config.values(),
                name,
                role.property() + "-" + config.nodeId() + "-",
                retryTimeoutMs));
    }
}
