package io.gregor.node.internal;

import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogConfig;

/** Kafka's rules for the topic settings that the broker's values become. Immutable. */
final class TopicRules {
    private TopicRules() {}

    /** The broker's values by the topics' keys, if they can be used. */
    static Map<String, Object> checkedDefaults(Settings settings, NodeKafkaConfig config) {
        Map<String, Object> defaults = TopicDefaults.of(config);
        long minLagMs = config.logCleanerMinCompactionLagMs();
        long maxLagMs = config.logCleanerMaxCompactionLagMs();
        if (minLagMs > maxLagMs) {
            throw settings.refusal(
                    CleanerConfig.LOG_CLEANER_MAX_COMPACTION_LAG_MS_PROP,
                    maxLagMs,
                    "must be >= log.cleaner.min.compaction.lag.ms=" + minLagMs);
        }
        try {
            new LogConfig(defaults);
            LogConfig.validateBrokerLogConfigValues(defaults, false);
        } catch (KafkaException conflict) {
            throw new StartRefused("log settings cannot be the defaults of topics: " + conflict.getMessage() + " ("
                    + settings.file() + ")");
        }
        return defaults;
    }
}
