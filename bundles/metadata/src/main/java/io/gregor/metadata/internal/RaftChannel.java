package io.gregor.metadata.internal;

import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.BootstrapConfiguration;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.Reconfigurable;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.ChannelBuilders;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selectable;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.raft.KafkaNetworkChannel;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/** Makes the channel on which Raft talks to other nodes, as the first controller listener is configured. Immutable. */
final class RaftChannel {
    private static final int MAX_IN_FLIGHT = 1;
    private static final long RECONNECT_BACKOFF_MS = 50;
    private static final long RECONNECT_BACKOFF_MAX_MS = 500;

    private final AbstractKafkaConfig config;
    private final Metrics metrics;
    private final Time time;
    private final LogContext logContext;

    RaftChannel(AbstractKafkaConfig config, Metrics metrics, Time time, LogContext logContext) {
        this.config = config;
        this.metrics = metrics;
        this.time = time;
        this.logContext = logContext;
    }

    /** The channel, not started; its thread's name begins with the prefix. */
    KafkaNetworkChannel open(String threadPrefix) {
        ListenerName listener =
                new ListenerName(config.controllerListenerNames().get(0));
        int requestTimeoutMs = new QuorumConfig(config).requestTimeoutMs();
        return new KafkaNetworkChannel(
                time, listener, client(listener, requestTimeoutMs), requestTimeoutMs, threadPrefix);
    }

    private NetworkClient client(ListenerName listener, int requestTimeoutMs) {
        return new NetworkClient(
                selector(listener),
                new ManualMetadataUpdater(),
                "raft-client-" + config.nodeId(),
                MAX_IN_FLIGHT,
                RECONNECT_BACKOFF_MS,
                RECONNECT_BACKOFF_MAX_MS,
                Selectable.USE_DEFAULT_BUFFER_SIZE,
                config.socketReceiveBufferBytes(),
                requestTimeoutMs,
                config.connectionSetupTimeoutMs(),
                config.connectionSetupTimeoutMaxMs(),
                time,
                true,
                new ApiVersions(),
                logContext,
                MetadataRecoveryStrategy.NONE,
                BootstrapConfiguration.DISABLED,
                false);
    }

    private Selector selector(ListenerName listener) {
        SecurityProtocol protocol = config.effectiveListenerSecurityProtocolMap()
                .computeIfAbsent(listener, name -> SecurityProtocol.forName(name.value()));
        ChannelBuilder builder = ChannelBuilders.clientChannelBuilder(
                protocol,
                JaasContext.Type.SERVER,
                config,
                listener,
                config.getString(KRaftConfigs.SASL_MECHANISM_CONTROLLER_PROTOCOL_CONFIG),
                time,
                logContext);
        if (builder instanceof Reconfigurable changing) {
            config.addReconfigurable(changing);
        }
        return new Selector(
                NetworkReceive.UNLIMITED,
                config.connectionsMaxIdleMs(),
                metrics,
                time,
                "raft-channel",
                Map.of(),
                false,
                builder,
                logContext);
    }
}
