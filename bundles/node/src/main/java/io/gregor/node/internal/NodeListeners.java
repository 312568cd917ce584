package io.gregor.node.internal;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a node, told apart by role. Immutable.
 *
 * @param all {@code listeners}
 * @param broker those of the broker role: all but the controllers'
 * @param controller those that {@code controller.listener.names} names
 * @param advertisedBroker what clients and brokers are told: {@code advertised.listeners}, else {@code broker}
 * @param advertisedController what controllers and brokers are told, in the order of {@code controller.listener.names}
 */
record NodeListeners(
        List<Endpoint> all,
        List<Endpoint> broker,
        List<Endpoint> controller,
        List<Endpoint> advertisedBroker,
        List<Endpoint> advertisedController) {
    private static final String ANY_ADDRESS = "0.0.0.0";

    /** Parses them; a {@link StartRefused} says which key is wrong, and why. */
    static NodeListeners of(Settings settings, NodeKafkaConfig config) {
        List<String> controllerNames = config.controllerListenerNames();
        List<Endpoint> all = parsed(settings, config, SocketServerConfigs.LISTENERS_CONFIG, true);
        boolean isAdvertised = config.getList(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG) != null;
        List<Endpoint> advertised = isAdvertised
                ? parsed(settings, config, SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG, false)
                : List.of();
        List<Endpoint> broker = without(controllerNames, all);
        List<Endpoint> controller = all.stream()
                .filter(endpoint -> controllerNames.contains(endpoint.listener()))
                .toList();
        List<Endpoint> advertisedBroker = isAdvertised ? without(controllerNames, advertised) : broker;
        return new NodeListeners(
                all, broker, controller, advertisedBroker, advertisedController(config, advertised, controller));
    }

    private static List<Endpoint> parsed(Settings settings, NodeKafkaConfig config, String key, boolean needsOwnPorts) {
        List<String> value = config.getList(key);
        try {
            return AbstractKafkaConfig.listenerListToEndPoints(
                    value, config.effectiveListenerSecurityProtocolMap(), needsOwnPorts);
        } catch (KafkaException | IllegalArgumentException fault) {
            Throwable reason = fault.getCause() == null ? fault : fault.getCause();
            throw settings.refusal(
                    key,
                    value,
                    "must be NAME://host:port,… with a port each and names of "
                            + SocketServerConfigs.LISTENER_SECURITY_PROTOCOL_MAP_CONFIG + ": " + reason.getMessage());
        }
    }

    private static List<Endpoint> without(List<String> controllerNames, List<Endpoint> endpoints) {
        return endpoints.stream()
                .filter(endpoint -> !controllerNames.contains(endpoint.listener()))
                .toList();
    }

    /** The first controller listener may take its host from this node's entry in {@code controller.quorum.voters}. */
    private static List<Endpoint> advertisedController(
            NodeKafkaConfig config, List<Endpoint> advertised, List<Endpoint> controller) {
        List<Endpoint> result = new ArrayList<>();
        for (String name : config.controllerListenerNames()) {
            boolean isFirst = name.equals(config.controllerListenerNames().get(0));
            named(name, advertised)
                    .or(() -> named(name, controller).map(endpoint -> routable(config, endpoint, isFirst)))
                    .ifPresent(result::add);
        }
        return List.copyOf(result);
    }

    private static Endpoint routable(NodeKafkaConfig config, Endpoint endpoint, boolean isFirst) {
        if (!isWildcard(endpoint.host())) {
            return endpoint;
        }
        InetSocketAddress voter = isFirst
                ? QuorumConfig.parseVoterConnections(new QuorumConfig(config).voters())
                        .get(config.nodeId())
                : null;
        return voter == null
                ? new Endpoint(endpoint.listener(), endpoint.securityProtocol(), null, endpoint.port())
                : new Endpoint(
                        endpoint.listener(), endpoint.securityProtocol(), voter.getHostString(), voter.getPort());
    }

    private static Optional<Endpoint> named(String name, List<Endpoint> endpoints) {
        ListenerName wanted = ListenerName.normalised(name);
        return endpoints.stream()
                .filter(endpoint -> ListenerName.normalised(endpoint.listener()).equals(wanted))
                .findFirst();
    }

    /** Whether the host stands for every address of the machine. */
    static boolean isWildcard(@Nullable String host) {
        return host == null || host.isEmpty() || host.equals(ANY_ADDRESS);
    }

    static Set<String> names(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::listener).collect(Collectors.toSet());
    }

    /** The endpoints with this machine's own name where no host was configured. */
    static List<Endpoint> withHosts(List<Endpoint> endpoints) throws UnknownHostException {
        List<Endpoint> result = new ArrayList<>();
        for (Endpoint endpoint : endpoints) {
            boolean hasHost = endpoint.host() != null && !endpoint.host().isEmpty();
            result.add(
                    hasHost
                            ? endpoint
                            : new Endpoint(
                                    endpoint.listener(),
                                    endpoint.securityProtocol(),
                                    InetAddress.getLocalHost().getCanonicalHostName(),
                                    endpoint.port()));
        }
        return List.copyOf(result);
    }
}
