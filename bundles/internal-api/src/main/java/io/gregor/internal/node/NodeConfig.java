package io.gregor.internal.node;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * The node's static configuration, read and checked. Immutable. A service once the node knows itself.
 */
public interface NodeConfig {
    /** {@code node.id}. */
    int nodeId();

    /** {@code process.roles}; one or both. */
    Set<Role> roles();

    /** Everything that Kafka's own definition knows, parsed. Kafka's {@code new X(AbstractConfig)} views take it. */
    AbstractKafkaConfig values();

    /** Whether a config provider found the value of this key: it may be a secret, whatever its type, and is not to be shown. */
    default boolean isProvided(String key) {
        return false;
    }

    /** {@code --home}: data, sockets and run files live below it. */
    Path home();

    /** {@code log.dirs}, absolute. */
    List<Path> logDirs();

    /** {@code metadata.log.dir}, or the first of {@link #logDirs}. */
    Path metadataLogDir();

    /** The listeners of one role as configured: the controller's are those of {@code controller.listener.names}. */
    List<Endpoint> listeners(Role role);

    /** The advertised addresses of one role as configured; a port of 0 stands for the bound one. */
    List<Endpoint> advertisedListeners(Role role);

    /** The listener that other brokers use. */
    ListenerName interBrokerListener();

    /** The protocol of {@link #interBrokerListener}. */
    SecurityProtocol interBrokerProtocol();

    /** {@code controller.listener.names}, the first of which is used to reach controllers. */
    List<ListenerName> controllerListeners();

    /** The broker's defaults of topic settings, by the topic's key: what {@code LogConfig} takes. */
    Map<String, Object> topicDefaults();
}
