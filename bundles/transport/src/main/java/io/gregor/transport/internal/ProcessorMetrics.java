package io.gregor.transport.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.LongToDoubleFunction;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Measurable;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/**
 * What is seen of one processor in Kafka's metrics, under the names of Kafka's selector and processor. Values are made from
 * the counters when they are read. Shared: any thread.
 */
final class ProcessorMetrics implements AutoCloseable {
    private static final String PROCESSOR = "networkProcessor";
    private static final String IDLE_PERCENT = "IdlePercent";

    private final KafkaMetricsGroup ofProcessor = new KafkaMetricsGroup(NetworkMetrics.PACKAGE, "Processor");
    private final KafkaMetricsGroup ofChannel = new KafkaMetricsGroup(NetworkMetrics.PACKAGE, "RequestChannel");
    private final Metrics metrics;
    private final Time time;
    private final NetworkCounters counters;
    private final Map<String, String> tags = new LinkedHashMap<>();
    private final Map<String, String> processorTags;
    private final Map<String, String> queueTags;
    private final List<MetricName> names = new ArrayList<>();
    private final FactCounts<ClientInformation> clients;
    private final FactCounts<CipherInformation> ciphers;
    private final Of processor;

    /** Which processor it is of. Immutable. */
    record Of(int id, String listener, IntSupplier connections, IntSupplier queuedResponses) {}

    ProcessorMetrics(Metrics metrics, Time time, MetricScope scope, NetworkCounters counters, Of processor) {
        this.metrics = metrics;
        this.time = time;
        this.counters = counters;
        this.processor = processor;
        String id = Integer.toString(processor.id());
        tags.put(NetworkMetrics.LISTENER, processor.listener());
        tags.put(PROCESSOR, id);
        processorTags = scope.tags(Map.of(PROCESSOR, id));
        queueTags = scope.tags(Map.of("processor", id));
        clients = new FactCounts<>(metrics, tags, FactCounts.Kind.CLIENT);
        ciphers = new FactCounts<>(metrics, tags, FactCounts.Kind.CIPHER);
    }

    /** Registers them. */
    void register() {
        ofProcessor.newGauge(IDLE_PERCENT, this::idleRatio, processorTags);
        ofChannel.newGauge(NetworkMetrics.RESPONSE_QUEUE_SIZE, processor.queuedResponses()::getAsInt, queueTags);
        addConnections();
        addAuthentication();
        addBytes();
        addTimes();
    }

    /** The part of the recent time that the thread slept. */
    double idleRatio() {
        return counters.waiting.ratio(time.nanoseconds());
    }

    /** Connections by client software; the processor thread counts. */
    FactCounts<ClientInformation> clients() {
        return clients;
    }

    /** Connections by the cipher they have agreed on; the processor thread counts. */
    FactCounts<CipherInformation> ciphers() {
        return ciphers;
    }

    /** Takes them away; the processor thread, or there is none. Again has no effect. */
    @Override
    public void close() {
        names.forEach(metrics::removeMetric);
        clients.close();
        ciphers.close();
        ofProcessor.removeMetric(IDLE_PERCENT, processorTags);
        ofChannel.removeMetric(NetworkMetrics.RESPONSE_QUEUE_SIZE, queueTags);
    }

    private void addConnections() {
        add("connection-count", "Connections that are here", nowNs -> processor
                .connections()
                .getAsInt());
        addMeter("connection-creation", "new connections", counters.created);
        addMeter("connection-close", "connections closed", counters.closed);
        add(
                NetworkMetrics.EXPIRED,
                "Connections closed as a request came after the end of the session",
                nowNs -> counters.expired.total());
    }

    private void addAuthentication() {
        addMeter("successful-authentication", "successful authentications", counters.authenticated);
        add(
                "successful-authentication-no-reauth-total",
                "Successful authentications of clients that cannot re-authenticate",
                nowNs -> counters.authenticatedForGood.total());
        addMeter("failed-authentication", "failed authentications", counters.authenticationFailures);
        addMeter("successful-reauthentication", "successful re-authentications", counters.reauthenticated);
        addMeter("failed-reauthentication", "failed re-authentications", counters.reauthenticationFailures);
        add(
                "reauthentication-latency-avg",
                "Mean time that a re-authentication took (milliseconds)",
                nowNs -> mean(counters.reauthenticationMs, counters.reauthenticated, nowNs));
        add(
                "reauthentication-latency-max",
                "Longest time that a re-authentication took (milliseconds)",
                nowNs -> largest(counters.slowestReauthentication, nowNs));
    }

    private void addBytes() {
        addMeter("network-io", "reads and writes", counters.transfers);
        addMeter("incoming-byte", "bytes read", counters.bytesRead);
        addMeter("outgoing-byte", "bytes written", counters.bytesWritten);
        addMeter("response", "requests received", counters.framesReceived);
        addMeter("request", "responses sent", counters.responsesSent);
        add(
                "request-size-avg",
                "Mean size of the responses sent (bytes)",
                nowNs -> mean(counters.bytesWritten, counters.responsesSent, nowNs));
        add(
                "request-size-max",
                "Size of the largest response sent (bytes)",
                nowNs -> largest(counters.largestResponse, nowNs));
    }

    private void addTimes() {
        addMeter("select", "looks for connections that are ready", counters.selects);
        add("io-wait-ratio", "Part of the time that the thread waited", counters.waiting::ratio);
        add("io-wait-time-ns-total", "Time that the thread waited (nanoseconds)", counters.waiting::totalNs);
        add(
                "io-wait-time-ns-avg",
                "Mean wait for connections that are ready (nanoseconds)",
                nowNs -> ratio(counters.waiting.recentNs(nowNs), counters.selects.recent(nowNs)));
        add("io-ratio", "Part of the time that the thread read and wrote", counters.ioNs::ratio);
        add("io-time-ns-total", "Time that the thread read and wrote (nanoseconds)", nowNs -> counters.ioNs.total());
        add(
                "io-time-ns-avg",
                "Mean time of reading and writing between two waits (nanoseconds)",
                nowNs -> mean(counters.ioNs, counters.selects, nowNs));
    }

    /** Kafka's pair of a rate and a total. */
    private void addMeter(String name, String what, WindowedSum counter) {
        add(name + "-rate", "Number of " + what + " per second", counter::perSecond);
        add(name + "-total", "Number of " + what, nowNs -> counter.total());
    }

    private void add(String name, String description, LongToDoubleFunction value) {
        MetricName metric = metrics.metricName(name, NetworkMetrics.GROUP, description, tags);
        metrics.addMetric(metric, (Measurable) (config, nowMs) -> value.applyAsDouble(time.nanoseconds()));
        names.add(metric);
    }

    private static double mean(WindowedSum amount, WindowedSum count, long nowNs) {
        return ratio(amount.recent(nowNs), count.recent(nowNs));
    }

    /** As in Kafka no number if there was nothing. */
    private static double ratio(long amount, long count) {
        return count == 0 ? Double.NaN : (double) amount / count;
    }

    private static double largest(WindowedMax values, long nowNs) {
        long largest = values.recent(nowNs);
        return largest == WindowedMax.NONE ? Double.NaN : largest;
    }
}
