package io.gregor.telemetry.internal;

import java.util.List;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;

/**
 * The figures of {@code ClientMetricsManager} while there is none yet: all zero, under its names. Owned by the component's
 * life cycle.
 */
public final class IdleFigures implements AutoCloseable {
    private static final String GROUP = "client-metrics";

    private final Metrics metrics;
    private final List<MetricName> names;

    /** Shows them. */
    public IdleFigures(Metrics metrics) {
        this.metrics = metrics;
        this.names = List.of(
                metrics.metricName("instance-count", GROUP),
                metrics.metricName("unknown-subscription-request-count", GROUP),
                metrics.metricName("unknown-subscription-request-rate", GROUP));
        names.forEach(name -> metrics.addMetric(name, (Gauge<Double>) (config, nowMs) -> 0.0));
    }

    /** Takes them away; again has no effect. */
    @Override
    public void close() {
        names.forEach(metrics::removeMetric);
    }
}
