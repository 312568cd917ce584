package io.gregor.transport.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.QuorumConfig;
import org.jspecify.annotations.Nullable;

/**
 * Listeners that other nodes rely on: their addresses and protocols stay while the node runs, since nobody would learn of the
 * new ones. Immutable.
 */
final class FixedListeners {
    /**
     * One of them.
     *
     * @param reason who relies on it, and the way out
     */
    private record Fixed(ListenerName name, String reason) {}

    private FixedListeners() {}

    /**
     * Checks a change of the listeners of a role.
     *
     * @throws ConfigException if one of them would change
     */
    static void check(Role role, NodeConfig before, NodeConfig after) {
        for (Fixed fixed : role == Role.BROKER ? ofBroker(before) : ofController(before)) {
            checkSame(SocketServerConfigs.LISTENERS_CONFIG, fixed, before.listeners(role), after.listeners(role));
            checkSame(
                    SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG,
                    fixed,
                    before.advertisedListeners(role),
                    after.advertisedListeners(role));
        }
    }

    private static List<Fixed> ofBroker(NodeConfig config) {
        return List.of(new Fixed(
                config.interBrokerListener(),
                "it is the inter-broker listener, and followers go on asking its old address: add another listener for"
                        + " clients, or change it in server.properties and restart"));
    }

    /** The first is what brokers use; that of the voters' entry is what controllers use. */
    private static List<Fixed> ofController(NodeConfig config) {
        List<Fixed> fixed = new ArrayList<>();
        InetSocketAddress voter = QuorumConfig.parseVoterConnections(new QuorumConfig(config.values()).voters())
                .get(config.nodeId());
        ListenerName first = config.controllerListeners().get(0);
        for (Endpoint endpoint : config.advertisedListeners(Role.CONTROLLER)) {
            ListenerName name = ListenerName.normalised(endpoint.listener());
            if (voter != null && voter.getPort() == endpoint.port()) {
                fixed.add(new Fixed(
                        name,
                        "the quorum reaches this controller at its port, " + QuorumConfig.QUORUM_VOTERS_CONFIG
                                + " has it: change both in server.properties of all nodes and restart"));
            } else if (name.equals(first)) {
                fixed.add(new Fixed(
                        name,
                        "it is the first of controller.listener.names, where nodes reach this controller: change it in"
                                + " server.properties and restart"));
            }
        }
        return fixed;
    }

    private static void checkSame(String key, Fixed fixed, List<Endpoint> before, List<Endpoint> after) {
        Optional<Endpoint> old = named(fixed.name(), before);
        Optional<Endpoint> next = named(fixed.name(), after);
        if (old.isEmpty()) {
            return;
        }
        if (next.isEmpty()) {
            throw new ConfigException(
                    key, words(after), fixed.name().value() + " cannot be removed: " + fixed.reason());
        }
        boolean isSame = old.get().port() == next.get().port()
                && old.get().securityProtocol() == next.get().securityProtocol()
                && Objects.equals(host(old.get()), host(next.get()));
        if (!isSame) {
            throw new ConfigException(
                    key,
                    words(after),
                    fixed.name().value() + " cannot change its address or protocol: " + fixed.reason());
        }
    }

    private static Optional<Endpoint> named(ListenerName name, List<Endpoint> endpoints) {
        return endpoints.stream()
                .filter(endpoint -> ListenerName.normalised(endpoint.listener()).equals(name))
                .findFirst();
    }

    private static @Nullable String host(Endpoint endpoint) {
        return endpoint.host() == null || endpoint.host().isBlank() ? null : endpoint.host();
    }

    private static List<String> words(List<Endpoint> endpoints) {
        return endpoints.stream()
                .map(endpoint ->
                        endpoint.listener() + "://" + Objects.toString(endpoint.host(), "") + ":" + endpoint.port())
                .toList();
    }
}
