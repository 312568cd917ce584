package io.gregor.transport.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/** A configuration for tests, from lines as {@code server.properties} has them. Immutable. */
final class TestConfig implements NodeConfig {
    private static final ConfigDef DEFINITION = GregorConfigs.addTo(new ConfigDef(AbstractKafkaConfig.CONFIG_DEF));

    private final AbstractKafkaConfig values;

    private TestConfig(Map<String, String> properties) {
        values = EngineThread.call(() -> new Parsed(properties));
    }

    /** A node with both roles and these lines. */
    static TestConfig of(String... lines) {
        Map<String, String> properties = new HashMap<>();
        properties.put("node.id", "1");
        properties.put("process.roles", "broker,controller");
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("controller.quorum.voters", "1@localhost:17199");
        properties.put("listeners", "PLAINTEXT://:0,CONTROLLER://:0");
        for (String line : lines) {
            int equals = line.indexOf('=');
            properties.put(line.substring(0, equals), line.substring(equals + 1));
        }
        return new TestConfig(properties);
    }

    @Override
    public int nodeId() {
        return values.nodeId();
    }

    @Override
    public Set<Role> roles() {
        return Set.of(Role.values());
    }

    @Override
    public AbstractKafkaConfig values() {
        return values;
    }

    @Override
    public Path home() {
        return Path.of("");
    }

    @Override
    public List<Path> logDirs() {
        return List.of();
    }

    @Override
    public Path metadataLogDir() {
        return Path.of("");
    }

    @Override
    public List<Endpoint> listeners(Role role) {
        return endpoints(SocketServerConfigs.LISTENERS_CONFIG, role);
    }

    @Override
    public List<Endpoint> advertisedListeners(Role role) {
        return values.getList(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG) == null
                ? listeners(role)
                : endpoints(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG, role);
    }

    @Override
    public ListenerName interBrokerListener() {
        return values.interBrokerListenerName();
    }

    @Override
    public SecurityProtocol interBrokerProtocol() {
        return values.interBrokerSecurityProtocol();
    }

    @Override
    public List<ListenerName> controllerListeners() {
        return values.controllerListenerNames().stream()
                .map(ListenerName::normalised)
                .toList();
    }

    @Override
    public Map<String, Object> topicDefaults() {
        return Map.of();
    }

    private List<Endpoint> endpoints(String key, Role role) {
        List<String> controllers = values.controllerListenerNames();
        return AbstractKafkaConfig.listenerListToEndPoints(
                        values.getList(key), values.effectiveListenerSecurityProtocolMap(), true)
                .stream()
                .filter(endpoint -> controllers.contains(endpoint.listener()) == (role == Role.CONTROLLER))
                .toList();
    }

    private static final class Parsed extends AbstractKafkaConfig {
        Parsed(Map<String, String> properties) {
            super(DEFINITION, properties, Map.of(), false);
        }
    }
}
