package io.gregor.handlers.cluster;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/** Node 1 of the cluster "cluster", with the values that a test gives. */
record FakeNode(AbstractKafkaConfig values) implements NodeConfig {
    static final NodeIdentity IDENTITY = new NodeIdentity(1, "cluster", Uuid.ZERO_UUID, Map.of());

    static FakeNode with(Map<String, String> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("process.roles", "broker");
        all.put("node.id", "1");
        all.put("controller.listener.names", "CONTROLLER");
        return new FakeNode(
                new AbstractKafkaConfig(
                        AbstractKafkaConfig.CONFIG_DEF, AbstractKafkaConfig.populateSynonyms(all), Map.of(), false) {});
    }

    @Override
    public int nodeId() {
        return 1;
    }

    @Override
    public Set<Role> roles() {
        return Set.of(Role.BROKER);
    }

    @Override
    public Path home() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Path> logDirs() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path metadataLogDir() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Endpoint> listeners(Role role) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Endpoint> advertisedListeners(Role role) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ListenerName interBrokerListener() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SecurityProtocol interBrokerProtocol() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ListenerName> controllerListeners() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Object> topicDefaults() {
        throw new UnsupportedOperationException();
    }
}
