package io.gregor.node.internal;

import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogConfig;

/** Kafka's rules for the topic settings that the broker's values become. Immutable. */
final class TopicRules {
    private static final long UNLIMITED = -1;
    private static final long AS_ALL = -2;

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
        RemoteLogManagerConfig remote = new RemoteLogManagerConfig(config);
        boolean isRemote = remote.isRemoteStorageSystemEnabled();
        if (isRemote) {
            checkLocalPart(
                    settings,
                    RemoteLogManagerConfig.LOG_LOCAL_RETENTION_MS_PROP,
                    remote.logLocalRetentionMs(),
                    ServerLogConfigs.LOG_RETENTION_TIME_MILLIS_CONFIG,
                    config.logRetentionTimeMillis());
            checkLocalPart(
                    settings,
                    RemoteLogManagerConfig.LOG_LOCAL_RETENTION_BYTES_PROP,
                    remote.logLocalRetentionBytes(),
                    ServerLogConfigs.LOG_RETENTION_BYTES_CONFIG,
                    config.logRetentionBytes());
        }
        try {
            new LogConfig(defaults);
            LogConfig.validateBrokerLogConfigValues(defaults, isRemote);
        } catch (KafkaException conflict) {
            throw new StartRefused("log settings cannot be the defaults of topics: " + conflict.getMessage() + " ("
                    + settings.file() + ")");
        }
        return defaults;
    }

    /** What stays on disk is a part of what is kept at all. */
    private static void checkLocalPart(Settings settings, String localKey, long local, String key, long kept) {
        boolean isPart = local == AS_ALL || kept == UNLIMITED || (local >= 0 && local <= kept);
        if (!isPart) {
            throw settings.refusal(localKey, local, "must be -2 (the same as " + key + ") or 0 to " + key + "=" + kept);
        }
    }
}
