package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.transport.BoundListeners;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** What the operator reads when the node is ready. Immutable. */
public final class ReadyText {
    private final NodeConfig config;
    private final NodeIdentity identity;
    private final Path distribution;

    /** The text for this node, started from this distribution. */
    public ReadyText(NodeConfig config, NodeIdentity identity, Path distribution) {
        this.config = config;
        this.identity = identity;
        this.distribution = distribution;
    }

    /** The block, with the addresses that clients are told. */
    public String of(Map<Role, BoundListeners> bound) {
        StringBuilder text = new StringBuilder(System.lineSeparator());
        String roles = config.roles().stream().map(Role::property).collect(Collectors.joining(" and "));
        line(text, "Gregor is ready: node " + config.nodeId() + ", " + roles + " of cluster " + identity.clusterId());
        text.append(System.lineSeparator());
        for (Role role : config.roles()) {
            BoundListeners listeners = bound.get(role);
            if (listeners != null) {
                entry(text, role.property() + " at", addresses(listeners.advertised()));
            }
        }
        entry(text, "data in", config.logDirs().stream().map(Path::toString).collect(Collectors.joining(", ")));
        howToTry(text, bound);
        entry(text, "shell", command("shell"));
        entry(text, "stop", "Ctrl-C here, or " + command("stop"));
        return text.toString();
    }

    private void howToTry(StringBuilder text, Map<Role, BoundListeners> bound) {
        BoundListeners broker = bound.get(Role.BROKER);
        BoundListeners controller = bound.get(Role.CONTROLLER);
        if (broker != null) {
            String server = address(plainFirst(broker.advertised()));
            entry(
                    text,
                    "try it",
                    "echo world | kcat -b " + server + " -P -t hello; kcat -b " + server + " -C -t hello -e");
            entry(text, "", "kafka-console-producer.sh --bootstrap-server " + server + " --topic hello");
            entry(
                    text,
                    "",
                    "kafka-console-consumer.sh --bootstrap-server " + server + " --topic hello --from-beginning");
        } else if (controller != null) {
            String server = address(plainFirst(controller.advertised()));
            entry(text, "try it", "kafka-metadata-quorum.sh --bootstrap-controller " + server + " describe --status");
        }
    }

    /** A client without a configuration file can use a plaintext listener only. */
    private static Endpoint plainFirst(List<Endpoint> endpoints) {
        return endpoints.stream()
                .filter(endpoint -> endpoint.securityProtocol() == SecurityProtocol.PLAINTEXT)
                .findFirst()
                .orElse(endpoints.get(0));
    }

    private static String addresses(List<Endpoint> endpoints) {
        return endpoints.stream()
                .map(endpoint -> endpoint.listener() + "://" + address(endpoint))
                .collect(Collectors.joining(", "));
    }

    private static String address(Endpoint endpoint) {
        String host = endpoint.host();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + endpoint.port();
    }

    /** {@code bin/gregor} of the distribution; its home need not be named when it is the distribution itself. */
    private String command(String name) {
        String home = config.home().equals(distribution.toAbsolutePath().normalize()) ? "" : " --home " + config.home();
        return distribution.resolve("bin/gregor") + " " + name + home;
    }

    private static void entry(StringBuilder text, String name, String value) {
        line(text, String.format("%-15s%s", name, value));
    }

    private static void line(StringBuilder text, String line) {
        text.append("  ").append(line).append(System.lineSeparator());
    }
}
