package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/** A configuration that was read and checked: of the start, or with the dynamic values of a moment. Immutable. */
record ParsedNodeConfig(
        NodeKafkaConfig parsed,
        Set<String> provided,
        Path home,
        Map<Role, List<Endpoint>> listenersByRole,
        Map<Role, List<Endpoint>> advertisedByRole,
        Map<String, Object> topicDefaults)
        implements NodeConfig {
    @Override
    public int nodeId() {
        return parsed.nodeId();
    }

    @Override
    public Set<Role> roles() {
        return parsed.roles();
    }

    @Override
    public boolean isProvided(String key) {
        return provided.contains(key);
    }

    @Override
    public AbstractKafkaConfig values() {
        return parsed;
    }

    @Override
    public List<Path> logDirs() {
        return parsed.logDirs().stream().map(Path::of).toList();
    }

    @Override
    public Path metadataLogDir() {
        return Path.of(parsed.metadataLogDir());
    }

    @Override
    public List<Endpoint> listeners(Role role) {
        return listenersByRole.getOrDefault(role, List.of());
    }

    @Override
    public List<Endpoint> advertisedListeners(Role role) {
        return advertisedByRole.getOrDefault(role, List.of());
    }

    @Override
    public ListenerName interBrokerListener() {
        return parsed.interBrokerListenerName();
    }

    @Override
    public SecurityProtocol interBrokerProtocol() {
        return parsed.interBrokerSecurityProtocol();
    }

    @Override
    public List<ListenerName> controllerListeners() {
        return parsed.controllerListenerNames().stream()
                .map(ListenerName::normalised)
                .toList();
    }
}
