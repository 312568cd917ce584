package io.gregor.metadata;

import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import io.gregor.internal.plugin.PluginClasses;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.server.NodeToControllerChannelManagerImpl;
import org.apache.kafka.server.RaftControllerNodeProvider;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Opens Kafka's channels to the leader that Raft knows, over the network even if that is this node. Shared: any thread.
 */
@Component
public final class NetworkControllerChannels implements ControllerChannels {
    private final NodeConfig config;
    private final Metrics metrics;
    private final RaftControllerNodeProvider controllers;
    private volatile PluginClasses classes = Utils.class::getClassLoader;

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

    /** It has been there before the configuration; what it has found stays when it leaves. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindClasses(PluginClasses came) {
        classes = came;
    }

    void unbindClasses(PluginClasses gone) {}

    @Override
    public NodeToControllerChannelManager channel(Role role, String name, long retryTimeoutMs) {
        return EngineThread.call(
                classes.loader(),
                () -> new NodeToControllerChannelManagerImpl(
                        controllers,
                        Time.SYSTEM,
                        metrics,
                        config.values(),
                        name,
                        role.property() + "-" + config.nodeId() + "-",
                        retryTimeoutMs));
    }
}
