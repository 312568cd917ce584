package io.gregor.internal.storage;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.server.config.ConfigSynonym;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;

/**
 * The node's keys whose values are the defaults of topics' settings: a topic without a value of its own follows them, the one
 * that is there as the one that comes. Immutable.
 */
public final class TopicDefaultKeys {
    private static final Set<String> KEYS = keys();

    private TopicDefaultKeys() {}

    private static Set<String> keys() {
        Set<String> keys = new HashSet<>();
        ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.values().stream()
                .flatMap(Collection::stream)
                .map(ConfigSynonym::name)
                .forEach(keys::add);
        // it also says how often logs are flushed, which stays as it was at the start
        keys.remove(ServerLogConfigs.LOG_FLUSH_SCHEDULER_INTERVAL_MS_CONFIG);
        return Set.copyOf(keys);
    }

    /** Whether logs follow a change of this key. */
    public static boolean contains(String key) {
        return KEYS.contains(key);
    }
}
