package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.DynamicVoters;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.config.ServerConfigs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Formats the empty directories of a node that is a cluster of its own, with a new cluster id. A node that joins others
 * needs their cluster id, which only the operator knows. Owned by the thread that starts the node.
 */
final class FirstFormat {
    private static final Logger LOGGER = LoggerFactory.getLogger(FirstFormat.class);

    private final NodeConfig config;
    private final Path configFile;
    private final Set<Path> directories;

    FirstFormat(NodeConfig config, Path configFile, Set<Path> directories) {
        this.config = config;
        this.configFile = configFile;
        this.directories = directories;
    }

    void run() {
        if (!isAlone()) {
            throw new StartRefused("log directories are empty: directories=" + directories
                    + ", and this node is not the only controller of its cluster: format them with the cluster's id: "
                    + command("CLUSTER_ID", configFile));
        }
        String clusterId = Uuid.randomUuid().toString();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            Formatter formatter = formatter(config, out).setClusterId(clusterId);
            if (isDynamic()) {
                formatter.setInitialControllers(ownVoters(config));
            }
            formatter.run();
        } catch (Exception fault) {
            throw new StartRefused("log directories cannot be formatted: directories=" + directories + " reason="
                    + fault.getMessage());
        }
        LOGGER.info(
                "log directories were empty and are formatted now: directories={} clusterId={}",
                directories,
                clusterId);
        LOGGER.debug("{}", said.toString(StandardCharsets.UTF_8).strip());
    }

    /** The format command of this distribution, for messages. */
    static String command(String clusterId, Path configFile) {
        return "bin/gregor format -t " + clusterId + " -c " + configFile;
    }

    /** Kafka's formatter with what the configuration says; cluster id and initial controllers are the caller's. */
    static Formatter formatter(NodeConfig config, PrintStream out) {
        Formatter formatter = new Formatter()
                .setPrintStream(out)
                .setNodeId(config.nodeId())
                .setWriteBootstrapSnapshot(config.roles().contains(Role.CONTROLLER))
                .setUnstableFeatureVersionsEnabled(
                        config.values().getBoolean(ServerConfigs.UNSTABLE_FEATURE_VERSIONS_ENABLE_CONFIG))
                .setControllerListenerName(
                        config.values().controllerListenerNames().get(0))
                .setMetadataLogDirectory(config.metadataLogDir().toString())
                .setHasDynamicQuorum(new QuorumConfig(config.values()).voters().isEmpty());
        LogDirectories.sorted(config).forEach(formatter::addDirectory);
        return formatter;
    }

    /** This node as the first and only voter of a quorum that can grow. */
    static DynamicVoters ownVoters(NodeConfig config) {
        Endpoint endpoint = config.advertisedListeners(Role.CONTROLLER).get(0);
        return DynamicVoters.parse(
                config.nodeId() + "@" + endpoint.host() + ":" + endpoint.port() + ":" + Uuid.randomUuid());
    }

    private boolean isDynamic() {
        return new QuorumConfig(config.values()).voters().isEmpty();
    }

    /** Whether the controllers are this node and nobody else. */
    private boolean isAlone() {
        if (!config.roles().contains(Role.CONTROLLER)) {
            return false;
        }
        QuorumConfig quorum = new QuorumConfig(config.values());
        if (!quorum.voters().isEmpty()) {
            return QuorumConfig.parseVoterIds(quorum.voters()).equals(Set.of(config.nodeId()));
        }
        List<InetSocketAddress> servers = QuorumConfig.parseBootstrapServers(quorum.bootstrapServers());
        return servers.size() == 1 && isOwn(servers.get(0));
    }

    private boolean isOwn(InetSocketAddress server) {
        boolean isOwnPort = config.listeners(Role.CONTROLLER).stream().anyMatch(own -> own.port() == server.getPort())
                || config.advertisedListeners(Role.CONTROLLER).stream().anyMatch(own -> own.port() == server.getPort());
        if (!isOwnPort) {
            return false;
        }
        try {
            InetAddress address = InetAddress.getByName(server.getHostString());
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException unknown) {
            return false;
        }
    }
}
