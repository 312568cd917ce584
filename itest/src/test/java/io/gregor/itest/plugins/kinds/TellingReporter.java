package io.gregor.itest.plugins.kinds;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/** Tells when it comes, with how many metrics, and when it goes. */
public final class TellingReporter implements MetricsReporter {
    @Override
    public void configure(Map<String, ?> values) {
        Told.tell("reporter configured node=" + values.get("node.id"));
    }

    @Override
    public void init(List<KafkaMetric> metrics) {
        Told.tell("reporter begins, metrics=" + (metrics.size() > 5 ? "many" : metrics.size()));
    }

    @Override
    public void metricChange(KafkaMetric metric) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {}

    @Override
    public void close() {
        Told.tell("reporter closed");
    }
}
