package io.gregor.transport.internal;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongToDoubleFunction;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Measurable;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/** What is seen of a role's network in Kafka's metrics, beyond single processors and listeners. Shared: any thread. */
public final class NetworkMetrics {
    static final String PACKAGE = "kafka.network";
    static final String GROUP = "socket-server-metrics";
    static final String LISTENER = "listener";
    static final String EXPIRED = "expired-connections-killed-count";
    static final String RESPONSE_QUEUE_SIZE = "ResponseQueueSize";

    private static final String IDLE = "NetworkProcessorAvgIdlePercent";
    private static final String EXPIRED_OF_ALL = "ExpiredConnectionsKilledCount";
    private static final String MEMORY_AVAILABLE = "MemoryPoolAvailable";
    private static final String MEMORY_USED = "MemoryPoolUsed";
    private static final long NS_PER_MS = 1_000_000L;

    private final KafkaMetricsGroup ofServer = new KafkaMetricsGroup(PACKAGE, "SocketServer");
    private final KafkaMetricsGroup ofChannel = new KafkaMetricsGroup(PACKAGE, "RequestChannel");
    private final Metrics metrics;
    private final Time time;
    private final MetricScope scope;
    private final SampleWindows windows;
    private final RoleProcessors processors;
    private final Map<String, String> tags;
    private final MetricName depletedPercent;
    private final MetricName depletedTime;
    private final AtomicLong expired = new AtomicLong();

    /** Registers the metrics. */
    NetworkMetrics(Metrics metrics, Time time, MetricScope scope, RoleProcessors processors, RequestMemory memory) {
        this.metrics = metrics;
        this.time = time;
        this.scope = scope;
        this.windows = SampleWindows.of(metrics.config(), time.nanoseconds());
        this.processors = processors;
        this.tags = scope.tags(Map.of());
        ofServer.newGauge(IDLE, this::idleRatio, tags);
        ofServer.newGauge(EXPIRED_OF_ALL, expired::doubleValue, tags);
        ofServer.newGauge(MEMORY_AVAILABLE, memory::availableBytes, tags);
        ofServer.newGauge(MEMORY_USED, memory::reservedBytes, tags);
        ofChannel.newGauge(RESPONSE_QUEUE_SIZE, this::queuedResponses, tags);
        depletedPercent = add(
                "MemoryPoolAvgDepletedPercent",
                "Part of the time that frames had to wait for memory",
                nowNs -> memory.depleted().ratio(nowNs));
        depletedTime = add(
                "MemoryPoolDepletedTimeTotal",
                "Time that frames had to wait for memory (milliseconds)",
                nowNs -> (double) memory.depleted().totalNs(nowNs) / NS_PER_MS);
    }

    /** Counters of a processor that starts. */
    NetworkCounters counters() {
        return new NetworkCounters(new SampleWindows(time.nanoseconds(), windows.lengthNs(), windows.count()));
    }

    /** Registers the metrics of a processor. */
    ProcessorMetrics ofProcessor(NetworkCounters counters, ProcessorMetrics.Of processor) {
        return new ProcessorMetrics(metrics, time, scope, counters, processor);
    }

    /** A connection was closed as a request came after the end of its session. */
    void sessionExpired() {
        expired.incrementAndGet();
    }

    /** The part of the recent time that the processors slept, on average; 1 if there are none. */
    public double idleRatio() {
        return processors.all().stream()
                .mapToDouble(processor -> processor.metrics().idleRatio())
                .average()
                .orElse(1.0);
    }

    /** Takes the metrics away. */
    public void close() {
        ofServer.removeMetric(IDLE, tags);
        ofServer.removeMetric(EXPIRED_OF_ALL, tags);
        ofServer.removeMetric(MEMORY_AVAILABLE, tags);
        ofServer.removeMetric(MEMORY_USED, tags);
        ofChannel.removeMetric(RESPONSE_QUEUE_SIZE, tags);
        metrics.removeMetric(depletedPercent);
        metrics.removeMetric(depletedTime);
    }

    private int queuedResponses() {
        return processors.all().stream().mapToInt(Processor::queuedResponses).sum();
    }

    private MetricName add(String name, String description, LongToDoubleFunction value) {
        MetricName metric = metrics.metricName(name, GROUP, description, tags);
        metrics.addMetric(metric, (Measurable) (config, nowMs) -> value.applyAsDouble(time.nanoseconds()));
        return metric;
    }
}
