package io.gregor.transport.internal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;

/**
 * How many connections of a processor share a fact, as one metric for each: their client software, or the cipher they have
 * agreed on. Owned by the processor thread; shared: any thread reads the metrics. A metric goes a minute after the last
 * connection with its fact: clients that come and go do not make and break one each time. There are at most 100; facts
 * beyond that are not shown.
 */
final class FactCounts<T> {
    private static final int MOST = 100;
    private static final long KEEP_NS = TimeUnit.SECONDS.toNanos(60);

    private final Metrics metrics;
    private final Map<String, String> tags;
    private final Kind<T> kind;
    private final Map<T, Count> counts = new LinkedHashMap<>();
    private long nextCheckNs = IdleWheel.NEVER;

    /**
     * Which facts are counted. Immutable.
     *
     * @param what ends the sentence "Connections …"
     * @param tags of one of them
     */
    record Kind<T>(String what, Function<T, Map<String, String>> tags) {
        static final Kind<ClientInformation> CLIENT = new Kind<>(
                "of this client software and version",
                client -> both(
                        "clientSoftwareName",
                        client.softwareName(),
                        "clientSoftwareVersion",
                        client.softwareVersion()));
        static final Kind<CipherInformation> CIPHER = new Kind<>(
                "with this cipher and protocol of TLS",
                tls -> both("cipher", tls.cipher(), "protocol", tls.protocol()));

        /** In this order. */
        private static Map<String, String> both(String key, String value, String otherKey, String otherValue) {
            Map<String, String> tags = new LinkedHashMap<>();
            tags.put(key, value);
            tags.put(otherKey, otherValue);
            return tags;
        }
    }

    /** The connections with one fact. Written by the processor thread. */
    private static final class Count {
        private final MetricName name;
        private final AtomicInteger connections = new AtomicInteger();
        private long emptySinceNs;

        Count(MetricName name) {
            this.name = name;
        }
    }

    /** Metrics with these tags and those of the fact. */
    FactCounts(Metrics metrics, Map<String, String> tags, Kind<T> kind) {
        this.metrics = metrics;
        this.tags = tags;
        this.kind = kind;
    }

    /** A connection with this fact is here. */
    void came(T fact, long nowNs) {
        Count count = counts.get(fact);
        if (count == null) {
            if (counts.size() == MOST) {
                removeEmpty(nowNs);
            }
            if (counts.size() == MOST) {
                return;
            }
            count = register(fact);
        }
        count.connections.incrementAndGet();
    }

    /** A connection is gone, or turned out to be another. */
    void went(T fact, long nowNs) {
        Count count = counts.get(fact);
        if (count != null && count.connections.get() > 0 && count.connections.decrementAndGet() == 0) {
            count.emptySinceNs = nowNs;
            nextCheckNs = Math.min(nextCheckNs, nowNs + KEEP_NS);
        }
    }

    /** When {@link #removeGone} has something to do; {@link IdleWheel#NEVER} if there is nothing. */
    long nextCheckNs() {
        return nextCheckNs;
    }

    /** Takes away the metrics of facts that are gone for a while. */
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

    private Count register(T fact) {
        Map<String, String> all = new LinkedHashMap<>(kind.tags().apply(fact));
        all.putAll(tags);
        Count count =
                new Count(metrics.metricName("connections", NetworkMetrics.GROUP, "Connections " + kind.what(), all));
        metrics.addMetric(count.name, (Gauge<Integer>) (config, nowMs) -> count.connections.get());
        counts.put(fact, count);
        return count;
    }
}
