package io.gregor.metadata;

import io.gregor.internal.metadata.BrokerClients;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.plugin.PluginClasses;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.BootstrapConfiguration;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.Reconfigurable;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.ChannelBuilders;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selectable;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Opens Kafka's clients as the inter-broker listener is configured. Shared: any thread. */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class NetworkBrokerClients implements BrokerClients {
    private static final int MAX_IN_FLIGHT = 1;
    private static final long RECONNECT_BACKOFF_MS = 50;

    private final NodeConfig node;
    private final Metrics metrics;
    private volatile PluginClasses classes = Utils.class::getClassLoader;

    /** Opens clients with these settings. */
    @Activate
    public NetworkBrokerClients(@Reference NodeConfig node, @Reference Metrics metrics) {
        this.node = node;
        this.metrics = metrics;
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
    public NetworkClient open(String name) {
        return EngineThread.call(classes.loader(), () -> client(name));
    }

    private NetworkClient client(String name) {
        AbstractKafkaConfig config = node.values();
        LogContext log = new LogContext("[" + name + " broker=" + node.nodeId() + "] ");
        return new NetworkClient(
                new Selector(
                        NetworkReceive.UNLIMITED,
                        config.connectionsMaxIdleMs(),
                        metrics,
                        Time.SYSTEM,
                        name + "-channel",
                        Map.of(),
                        false,
                        channels(config, log),
                        log),
                new ManualMetadataUpdater(),
                Integer.toString(node.nodeId()),
                MAX_IN_FLIGHT,
                RECONNECT_BACKOFF_MS,
                RECONNECT_BACKOFF_MS,
                Selectable.USE_DEFAULT_BUFFER_SIZE,
                config.socketReceiveBufferBytes(),
                config.requestTimeoutMs(),
                config.connectionSetupTimeoutMs(),
                config.connectionSetupTimeoutMaxMs(),
                Time.SYSTEM,
                true,
                new ApiVersions(),
                log,
                MetadataRecoveryStrategy.NONE,
                BootstrapConfiguration.DISABLED,
                false);
    }

    private ChannelBuilder channels(AbstractKafkaConfig config, LogContext log) {
        ChannelBuilder builder = ChannelBuilders.clientChannelBuilder(
                node.interBrokerProtocol(),
                JaasContext.Type.SERVER,
                config,
                node.interBrokerListener(),
                config.getString(BrokerSecurityConfigs.SASL_MECHANISM_INTER_BROKER_PROTOCOL_CONFIG),
                Time.SYSTEM,
                log);
        if (builder instanceof Reconfigurable changing) {
            config.addReconfigurable(changing);
        }
        return builder;
    }
}
