package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns settings into a configuration: refuses unknown keys, makes directories absolute, completes the quorum of a single
 * node, parses, and applies the rules. Immutable.
 */
public final class ConfigReading {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConfigReading.class);
    private static final List<String> DIRECTORY_KEYS = List.of(
            ServerLogConfigs.LOG_DIRS_CONFIG,
            ServerLogConfigs.LOG_DIR_CONFIG,
            ServerLogConfigs.CORDONED_LOG_DIRS_CONFIG,
            MetadataLogConfig.METADATA_LOG_DIR_CONFIG);

    private final Settings settings;
    private final Path home;
    private final boolean isFirst;

    private ConfigReading(Settings settings, Path home, boolean isFirst) {
        this.settings = settings;
        this.home = home;
        this.isFirst = isFirst;
    }

    /**
     * Reads and checks, and logs what is worth knowing at a start. The context class loader must find the classes that are
     * named.
     *
     * @param home where directories that are not absolute begin
     * @throws StartRefused if the node cannot start with these settings
     */
    public static NodeConfig read(Settings settings, Path home) {
        return new ConfigReading(settings, home, true).config();
    }

    /** Reads and checks the same way while the node runs, and logs nothing. */
    static NodeConfig readAgain(Settings settings, Path home) {
        return new ConfigReading(settings, home, false).config();
    }

    private NodeConfig config() {
        KnownKeys.check(settings);
        Map<String, String> properties = absoluteDirectories();
        NodeKafkaConfig draft = parse(properties);
        if (needsVoters(draft)) {
            String voters = ownVoter(draft, NodeListeners.of(settings, draft));
            properties.put(QuorumConfig.QUORUM_VOTERS_CONFIG, voters);
            if (isFirst) {
                LOGGER.info(
                        "no controller quorum is configured, this node is its only voter: {}={}",
                        QuorumConfig.QUORUM_VOTERS_CONFIG,
                        voters);
            }
        }
        NodeKafkaConfig config = parse(properties);
        if (isFirst) {
            config.log(settings.providedKeys());
        }
        NodeListeners listeners = NodeListeners.of(settings, config);
        ValueRules.check(settings, config);
        QuorumRules.check(settings, config);
        ListenerRules.check(settings, config, listeners);
        Map<String, Object> topicDefaults = TopicRules.checkedDefaults(settings, config);
        if (isFirst) {
            NamedClasses.check(settings, config, home);
            RemoteStorageRules.check(settings, config, listeners.broker(), home);
            warn(config);
        }
        return new ParsedNodeConfig(
                config,
                settings.providedKeys(),
                home,
                byRole(config, listeners),
                advertisedByRole(config, listeners),
                topicDefaults);
    }

    private void warn(NodeKafkaConfig config) {
        KnownKeys.warn(settings);
        UnsupportedSettings.warn(settings, config);
        ReadableSecrets.warn(settings);
        ValueRules.warn(settings, config);
        QuorumRules.warn(settings, config);
    }

    private Map<String, String> absoluteDirectories() {
        Map<String, String> properties = new TreeMap<>(settings.values());
        for (String key : DIRECTORY_KEYS) {
            properties.computeIfPresent(key, (name, value) -> absolute(value));
        }
        return properties;
    }

    private String absolute(String directories) {
        return Stream.of(directories.split(",", -1))
                .map(String::strip)
                .map(directory -> directory.isEmpty() || directory.equals("*")
                        ? directory
                        : home.resolve(directory).normalize().toString())
                .collect(Collectors.joining(","));
    }

    private NodeKafkaConfig parse(Map<String, String> properties) {
        try {
            return new NodeKafkaConfig(properties);
        } catch (KafkaException fault) {
            throw ValueRefusal.of(settings, properties, fault, home);
        }
    }

    private static boolean needsVoters(NodeKafkaConfig config) {
        QuorumConfig quorum = new QuorumConfig(config);
        return config.roles().size() == Role.values().length
                && quorum.voters().isEmpty()
                && quorum.bootstrapServers().isEmpty();
    }

    private String ownVoter(NodeKafkaConfig config, NodeListeners listeners) {
        if (listeners.advertisedController().isEmpty()) {
            throw QuorumRules.noControllerListener(settings, config);
        }
        Endpoint first = listeners.advertisedController().get(0);
        if (first.port() == 0) {
            throw settings.missing(
                    QuorumConfig.QUORUM_VOTERS_CONFIG,
                    "the controller listener " + first.listener() + " needs a port other than 0, or set the key");
        }
        String host = NodeListeners.isWildcard(first.host()) ? "localhost" : first.host();
        return config.nodeId() + "@" + (host.contains(":") ? "[" + host + "]" : host) + ":" + first.port();
    }

    private static Map<Role, List<Endpoint>> byRole(NodeKafkaConfig config, NodeListeners listeners) {
        Map<Role, List<Endpoint>> result = new EnumMap<>(Role.class);
        for (Role role : config.roles()) {
            result.put(role, role == Role.BROKER ? listeners.broker() : listeners.controller());
        }
        return result;
    }

    private Map<Role, List<Endpoint>> advertisedByRole(NodeKafkaConfig config, NodeListeners listeners) {
        Map<Role, List<Endpoint>> result = new EnumMap<>(Role.class);
        try {
            for (Role role : config.roles()) {
                result.put(
                        role,
                        NodeListeners.withHosts(
                                role == Role.BROKER ? listeners.advertisedBroker() : listeners.advertisedController()));
            }
        } catch (UnknownHostException unknown) {
            throw settings.refusal(
                    SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG,
                    config.getList(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG),
                    "must name a host for every listener, since this machine's own name has no address: "
                            + unknown.getMessage());
        }
        return result;
    }
}
