package io.gregor.internal.storage;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.server.config.ConfigSynonym;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;

/**
 * The node's keys whose values are the defaults of topics' settings: a topic without a value of its own follows them, the one
 * that is there as the one that comes. Immutable.
 */
public final class TopicDefaultKeys {
    /** There are no remote logs yet; the last also says how often logs are flushed, which stays as it was at the start. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            RemoteLogManagerConfig.LOG_LOCAL_RETENTION_MS_PROP,
            RemoteLogManagerConfig.LOG_LOCAL_RETENTION_BYTES_PROP,
            RemoteLogManagerConfig.LOG_REMOTE_COPY_LAG_MS_PROP,
            RemoteLogManagerConfig.LOG_REMOTE_COPY_LAG_BYTES_PROP,
            ServerLogConfigs.LOG_FLUSH_SCHEDULER_INTERVAL_MS_CONFIG);

    private static final Set<String> KEYS = keys();

    private TopicDefaultKeys() {}

    private static Set<String> keys() {
        Set<String> keys = new HashSet<>();
        ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.values().stream()
                .flatMap(Collection::stream)
                .map(ConfigSynonym::name)
                .forEach(keys::add);
        keys.removeAll(WITHOUT_EFFECT);
        return Set.copyOf(keys);
    }

    /** Whether logs follow a change of this key. */
    public static boolean contains(String key) {
        return KEYS.contains(key);
    }
}
