package io.gregor.node.internal;

import io.gregor.internal.node.Role;
import java.util.Set;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.apache.kafka.server.metrics.LinuxIoMetricsCollector;

/**
 * Kafka's gauges of the process as a whole, once for each role: the cluster, how many metrics there are, and what is read and
 * written. They leave with all other metrics of the node. Immutable.
 */
final class ServerGauges {
    private static final String PROCESSES = "/proc";

    private ServerGauges() {}

    static void register(Set<Role> roles, String clusterId) {
        for (Role role : roles) {
            KafkaMetricsGroup group =
                    new KafkaMetricsGroup("kafka.server", role == Role.BROKER ? "KafkaServer" : "ControllerServer");
            group.newGauge("ClusterId", () -> clusterId);
            group.newGauge(
                    "yammer-metrics-count",
                    () -> KafkaYammerMetrics.defaultRegistry().allMetrics().size());
            LinuxIoMetricsCollector io = new LinuxIoMetricsCollector(PROCESSES, Time.SYSTEM);
            if (io.usable()) {
                io.registerMetrics(group);
            }
        }
    }
}
