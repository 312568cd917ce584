package io.gregor.testing;

import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;

/** The configuration of a node, from lines as {@code server.properties} has them; no rule is checked. Immutable. */
public record FakeNodeConfig(AbstractKafkaConfig values) implements NodeConfig {
    /** Who the node is. */
    public static final NodeIdentity IDENTITY = new NodeIdentity(1, "cluster", Uuid.ZERO_UUID, Map.of());

    private static final ConfigDef DEFINITION = GregorConfigs.addTo(new ConfigDef(AbstractKafkaConfig.CONFIG_DEF));

    /** Node 1 with both roles. */
    public static FakeNodeConfig of() {
        return of(Map.of());
    }

    /** The same with these lines. */
    public static FakeNodeConfig of(Map<String, String> lines) {
        Map<String, Object> all = new HashMap<>();
        all.put("node.id", "1");
        all.put("process.roles", "broker,controller");
        all.put("controller.listener.names", "CONTROLLER");
        all.putAll(lines);
        return new FakeNodeConfig(
                new AbstractKafkaConfig(DEFINITION, AbstractKafkaConfig.populateSynonyms(all), Map.of(), false) {});
    }

    @Override
    public int nodeId() {
        return values.nodeId();
    }

    @Override
    public Set<Role> roles() {
        return values.getList(KRaftConfigs.PROCESS_ROLES_CONFIG).stream()
                .map(Role::of)
                .collect(Collectors.toSet());
    }

    @Override
    public Path home() {
        return Path.of("home");
    }

    @Override
    public List<Path> logDirs() {
        return values.logDirs().stream().map(Path::of).toList();
    }

    @Override
    public Path metadataLogDir() {
        return logDirs().get(0);
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

    /** Kafka's defaults under what the lines say. */
    @Override
    public Map<String, Object> topicDefaults() {
        Map<String, Object> defaults = new HashMap<>(new LogConfig(Map.of()).values());
        defaults.values().removeIf(value -> value == null);
        Map<String, Object> lines = values.originals();
        ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.forEach((key, synonyms) -> synonyms.stream()
                .filter(synonym -> lines.containsKey(synonym.name()))
                .findFirst()
                .ifPresent(synonym ->
                        defaults.put(key, synonym.converter().apply(String.valueOf(lines.get(synonym.name()))))));
        return defaults;
    }

    private List<Endpoint> endpoints(String key, Role role) {
        List<String> controllers = values.controllerListenerNames();
        return AbstractKafkaConfig.listenerListToEndPoints(
                        values.getList(key), values.effectiveListenerSecurityProtocolMap(), true)
                .stream()
                .filter(endpoint -> controllers.contains(endpoint.listener()) == (role == Role.CONTROLLER))
                .toList();
    }
}
