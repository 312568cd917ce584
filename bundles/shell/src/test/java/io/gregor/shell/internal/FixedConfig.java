package io.gregor.shell.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/** A node's configuration as a properties file gives it. Immutable. */
record FixedConfig(AbstractKafkaConfig values) implements NodeConfig {
    private static final class Parsed extends AbstractKafkaConfig {
        Parsed(Map<String, String> properties) {
            super(CONFIG_DEF, populateSynonyms(properties), Map.of(), false);
        }
    }

    /** A node of both roles with these lines. */
    static FixedConfig of(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "controller.listener.names", "CONTROLLER"));
        all.putAll(properties);
        return new FixedConfig(new Parsed(all));
    }

    @Override
    public int nodeId() {
        return values.nodeId();
    }

    @Override
    public Set<Role> roles() {
        return Set.of(Role.BROKER, Role.CONTROLLER);
    }

    @Override
    public Path home() {
        return Path.of("/home");
    }

    @Override
    public List<Path> logDirs() {
        return List.of();
    }

    @Override
    public Path metadataLogDir() {
        return home();
    }

    @Override
    public List<Endpoint> listeners(Role role) {
        return List.of();
    }

    @Override
    public List<Endpoint> advertisedListeners(Role role) {
        return List.of();
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
        return List.of();
    }

    @Override
    public Map<String, Object> topicDefaults() {
        return Map.of();
    }
}
