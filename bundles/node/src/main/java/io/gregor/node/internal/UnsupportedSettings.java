package io.gregor.node.internal;

import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.server.metrics.MetricConfigs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses settings that Kafka knows and this version does not serve, where going on without them would let in whom they
 * keep out, or lose what they keep. Immutable.
 */
final class UnsupportedSettings {
    private static final Logger LOGGER = LoggerFactory.getLogger(UnsupportedSettings.class);

    private UnsupportedSettings() {}

    static void refuse(Settings settings, NodeKafkaConfig config) {
        String authorizer = config.getString(ServerConfigs.AUTHORIZER_CLASS_NAME_CONFIG);
        if (authorizer != null && authorizer.strip().equals(StandardAuthorizer.class.getName())) {
            throw settings.refusal(
                    ServerConfigs.AUTHORIZER_CLASS_NAME_CONFIG,
                    authorizer,
                    "is not supported by this version, which has no store of ACLs yet: name an authorizer of a bundle in"
                            + " deploy/, or remove the key, which lets everyone in");
        }
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
