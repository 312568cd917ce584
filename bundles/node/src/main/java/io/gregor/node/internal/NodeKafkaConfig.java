package io.gregor.node.internal;

import io.gregor.internal.node.Role;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/** Immutable. The values of all known keys, parsed by Kafka's definition and Gregor's. */
final class NodeKafkaConfig extends AbstractKafkaConfig {
    /**
     * Parses the properties; a ConfigException says which value its key does not take.
     *
     * @param isLogged whether all values go to the log, as Kafka does at start
     */
    NodeKafkaConfig(Map<String, String> properties, boolean isLogged) {
        super(KnownKeys.DEFINITION, populateSynonyms(properties), properties, isLogged);
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
