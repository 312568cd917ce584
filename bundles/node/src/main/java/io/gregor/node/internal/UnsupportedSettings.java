package io.gregor.node.internal;

import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.server.metrics.MetricConfigs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses settings that Kafka knows and this version does not serve, where going on without them would lose what they keep.
 * Immutable.
 */
final class UnsupportedSettings {
    private static final Logger LOGGER = LoggerFactory.getLogger(UnsupportedSettings.class);

    private UnsupportedSettings() {}

    static void refuse(Settings settings, NodeKafkaConfig config) {
        if (config.getBoolean(RemoteLogManagerConfig.REMOTE_LOG_STORAGE_SYSTEM_ENABLE_PROP)) {
            throw settings.refusal(
                    RemoteLogManagerConfig.REMOTE_LOG_STORAGE_SYSTEM_ENABLE_PROP,
                    true,
                    "is not supported by this version, which cannot read what is in remote storage: it must be false");
        }
    }

    /** Names in the log what is left out without harm. */
    static void warn(Settings settings, NodeKafkaConfig config) {
        if (!config.getList(MetricConfigs.KAFKA_METRICS_REPORTER_CLASSES_CONFIG).isEmpty()) {
            LOGGER.warn(
                    "{} is ignored: reporters of this kind need Kafka's Scala core, use metric.reporters",
                    settings.assignment(MetricConfigs.KAFKA_METRICS_REPORTER_CLASSES_CONFIG, ""));
        }
    }
}
