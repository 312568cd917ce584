package io.gregor.transport.internal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ClientInformation;

/**
 * How many connections of a processor are from which client software, as one metric for each. Owned by the processor thread;
 * shared: any thread reads the metrics. A metric goes a minute after the last connection of its software: clients that
 * come and go do not make and break one each time. There are at most 100; clients beyond that are not shown.
 */
final class ClientCounts {
    private static final int MOST = 100;
    private static final long KEEP_NS = TimeUnit.SECONDS.toNanos(60);

    private final Metrics metrics;
    private final Map<String, String> tags;
    private final Map<ClientInformation, Count> counts = new LinkedHashMap<>();
    private long nextCheckNs = IdleWheel.NEVER;

    /** The connections of one software. Written by the processor thread. */
    private static final class Count {
        private final MetricName name;
        private final AtomicInteger connections = new AtomicInteger();
        private long emptySinceNs;

        Count(MetricName name) {
            this.name = name;
        }
    }

    /** Metrics with these tags and those of the software. */
    ClientCounts(Metrics metrics, Map<String, String> tags) {
        this.metrics = metrics;
        this.tags = tags;
    }

    /** A connection is here; its software is {@link ClientInformation#EMPTY} before that is known. */
    void came(ClientInformation software, long nowNs) {
        Count count = counts.get(software);
        if (count == null) {
            if (counts.size() == MOST) {
                removeEmpty(nowNs);
            }
            if (counts.size() == MOST) {
                return;
            }
            count = register(software);
        }
        count.connections.incrementAndGet();
    }

    /** A connection is gone, or turned out to be of another software. */
    void went(ClientInformation software, long nowNs) {
        Count count = counts.get(software);
        if (count != null && count.connections.get() > 0 && count.connections.decrementAndGet() == 0) {
            count.emptySinceNs = nowNs;
            nextCheckNs = Math.min(nextCheckNs, nowNs + KEEP_NS);
        }
    }

    /** When {@link #removeGone} has something to do; {@link IdleWheel#NEVER} if there is nothing. */
    long nextCheckNs() {
        return nextCheckNs;
    }

    /** Takes away the metrics of software that is gone for a while. */
    void removeGone(long nowNs) {
        if (nextCheckNs <= nowNs) {
            removeEmpty(nowNs - KEEP_NS);
        }
    }

    /** Takes all metrics away. */
    void close() {
        counts.values().forEach(count -> metrics.removeMetric(count.name));
        counts.clear();
    }

    private void removeEmpty(long sinceNs) {
        nextCheckNs = IdleWheel.NEVER;
        Iterator<Count> each = counts.values().iterator();
        while (each.hasNext()) {
            Count count = each.next();
            if (count.connections.get() == 0 && count.emptySinceNs <= sinceNs) {
                metrics.removeMetric(count.name);
                each.remove();
            } else if (count.connections.get() == 0) {
                nextCheckNs = Math.min(nextCheckNs, count.emptySinceNs + KEEP_NS);
            }
        }
    }

    private Count register(ClientInformation software) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("clientSoftwareName", software.softwareName());
        all.put("clientSoftwareVersion", software.softwareVersion());
        all.putAll(tags);
        Count count = new Count(metrics.metricName(
                "connections", NetworkMetrics.GROUP, "Connections of this client software and version", all));
        metrics.addMetric(count.name, (Gauge<Integer>) (config, nowMs) -> count.connections.get());
        counts.put(software, count);
        return count;
    }
}
