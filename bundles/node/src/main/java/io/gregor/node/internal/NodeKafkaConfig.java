package io.gregor.node.internal;

import io.gregor.internal.node.Role;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Reconfigurable;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The values of all known keys, parsed by Kafka's definition and Gregor's. */
final class NodeKafkaConfig extends AbstractKafkaConfig {
    private static final Logger LOGGER = LoggerFactory.getLogger(NodeKafkaConfig.class);

    /** What config providers find is in the values already, and is not to be looked through for more. */
    private static final Map<String, String> NO_PROVIDERS = Map.of(CONFIG_PROVIDERS_CONFIG, "");

    private final OutgoingChannels outgoing = new OutgoingChannels();

    /** Parses the properties; a ConfigException says which value its key does not take. */
    NodeKafkaConfig(Map<String, String> properties) {
        super(KnownKeys.DEFINITION, populateSynonyms(properties), NO_PROVIDERS, false);
    }

    /** Writes all values to the log, as Kafka does at start; passwords are hidden, and what is hidden beside them. */
    void log(Set<String> hidden) {
        StringBuilder lines = new StringBuilder("NodeKafkaConfig values:");
        new TreeMap<>(values()).forEach((key, value) -> lines.append("\n\t")
                .append(key)
                .append(" = ")
                .append(hidden.contains(key) ? Password.HIDDEN : value));
        LOGGER.info("{}", lines);
    }

    /** The channel builders that were made with it. */
    OutgoingChannels outgoing() {
        return outgoing;
    }

    @Override
    public void addReconfigurable(Reconfigurable builder) {
        outgoing.add(builder);
    }

    @Override
    public void removeReconfigurable(Reconfigurable builder) {
        outgoing.remove(builder);
    }

    /** {@code process.roles}; the definition has let nothing else in. */
    Set<Role> roles() {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        getList(KRaftConfigs.PROCESS_ROLES_CONFIG).forEach(role -> roles.add(Role.of(role)));
        return roles;
    }

    /** {@code metadata.log.dir}, or the first log directory. */
    String metadataLogDir() {
        String own = getString(MetadataLogConfig.METADATA_LOG_DIR_CONFIG);
        return own == null ? logDirs().get(0) : own;
    }
}
