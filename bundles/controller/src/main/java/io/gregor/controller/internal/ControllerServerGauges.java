package io.gregor.controller.internal;

import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.core.MetricsRegistry;
import java.util.List;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.apache.kafka.server.metrics.LinuxIoMetricsCollector;

/** The metrics that Kafka has of a node with the controller role, under the names it has them. Immutable. */
final class ControllerServerGauges implements AutoCloseable {
    private static final String GROUP = "kafka.server";
    private static final String TYPE = "ControllerServer";

    private final MetricsRegistry registry = KafkaYammerMetrics.defaultRegistry();

    ControllerServerGauges(String clusterId) {
        KafkaMetricsGroup group = new KafkaMetricsGroup(GROUP, TYPE);
        group.newGauge("ClusterId", () -> clusterId);
        group.newGauge("yammer-metrics-count", () -> registry.allMetrics().size());
        LinuxIoMetricsCollector disks = new LinuxIoMetricsCollector("/proc", Time.SYSTEM);
        if (disks.usable()) {
            disks.registerMetrics(group);
        }
    }

    @Override
    public void close() {
        List<MetricName> own = registry.allMetrics().keySet().stream()
                .filter(name -> GROUP.equals(name.getGroup()) && TYPE.equals(name.getType()))
                .toList();
        own.forEach(registry::removeMetric);
    }
}
