package io.gregor.storage.internal;

import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.core.MetricsRegistry;
import java.util.Set;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;

/** Knows which metrics the engine leaves behind when its log manager is shut down. Immutable. */
final class StorageMetrics {
    private static final Set<String> LEFT_BEHIND =
            Set.of("Log", "LogManager", "LogCleaner", "LogCleanerManager", "cleaner-io");

    private StorageMetrics() {}

    /** Removes them, so that a node started again in this JVM shows its own logs; gauges keep the first object given. */
    static void removeLeftovers() {
        MetricsRegistry registry = KafkaYammerMetrics.defaultRegistry();
        for (MetricName name : registry.allMetrics().keySet()) {
            if (name.getGroup().equals("kafka.log") && LEFT_BEHIND.contains(name.getType())) {
                registry.removeMetric(name);
            }
        }
    }
}
