package io.gregor.node.internal;

import org.apache.kafka.server.metrics.MetricConfigs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows which of Kafka's settings this version does not serve. Immutable. */
final class UnsupportedSettings {
    private static final Logger LOGGER = LoggerFactory.getLogger(UnsupportedSettings.class);

    private UnsupportedSettings() {}

    /** Names in the log what is left out without harm. */
    static void warn(Settings settings, NodeKafkaConfig config) {
        if (!config.getList(MetricConfigs.KAFKA_METRICS_REPORTER_CLASSES_CONFIG).isEmpty()) {
            LOGGER.warn(
                    "{} is ignored: reporters of this kind need Kafka's Scala core, use metric.reporters",
                    settings.assignment(MetricConfigs.KAFKA_METRICS_REPORTER_CLASSES_CONFIG, ""));
        }
    }
}
