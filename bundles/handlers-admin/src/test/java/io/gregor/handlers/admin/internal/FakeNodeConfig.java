package io.gregor.handlers.admin.internal;

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
import org.apache.kafka.storage.internals.log.LogConfig;

/** A combined node 1 with the given lines in its configuration file. */
public record FakeNodeConfig(AbstractKafkaConfig values) implements NodeConfig {
    public static FakeNodeConfig with(Map<String, String> lines) {
        Map<String, Object> all = new HashMap<>(lines);
        all.put("node.id", "1");
        all.put("process.roles", "broker,controller");
        all.put("controller.listener.names", "CONTROLLER");
        return new FakeNodeConfig(
                new AbstractKafkaConfig(
                        AbstractKafkaConfig.CONFIG_DEF, AbstractKafkaConfig.populateSynonyms(all), Map.of(), false) {});
    }

    @Override
    public int nodeId() {
        return 1;
    }

    @Override
    public Set<Role> roles() {
        return Set.of(Role.BROKER, Role.CONTROLLER);
    }

    @Override
    public Path home() {
        return Path.of("home");
    }

    @Override
    public List<Path> logDirs() {
        return List.of(Path.of("home", "data"));
    }

    @Override
    public Path metadataLogDir() {
        return logDirs().get(0);
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
        return ListenerName.forSecurityProtocol(SecurityProtocol.PLAINTEXT);
    }

    @Override
    public SecurityProtocol interBrokerProtocol() {
        return SecurityProtocol.PLAINTEXT;
    }

    @Override
    public List<ListenerName> controllerListeners() {
        return List.of(new ListenerName("CONTROLLER"));
    }

    @Override
    public Map<String, Object> topicDefaults() {
        return new LogConfig(Map.of()).originals();
    }
}
