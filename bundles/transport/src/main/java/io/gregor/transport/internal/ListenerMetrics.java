package io.gregor.transport.internal;

import com.yammer.metrics.core.Meter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/** For how long the acceptor of a listener could not go on though a client waited. Shared: any thread. */
public final class ListenerMetrics {
    private static final String BLOCKED = "AcceptorBlockedPercent";

    private final KafkaMetricsGroup group = new KafkaMetricsGroup(NetworkMetrics.PACKAGE, "Acceptor");
    private final Map<String, String> tags;
    private final Meter blocked;

    /** Registers the metric. */
    public ListenerMetrics(String listener) {
        tags = Map.of(NetworkMetrics.LISTENER, listener);
        blocked = group.newMeter(BLOCKED, "blocked time", TimeUnit.NANOSECONDS, tags);
    }

    /** The acceptor could not go on for this time. */
    void blocked(long ns) {
        blocked.mark(ns);
    }

    void close() {
        group.removeMetric(BLOCKED, tags);
    }
}
