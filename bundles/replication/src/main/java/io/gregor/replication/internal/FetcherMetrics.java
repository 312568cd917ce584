package io.gregor.replication.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/** The gauges that Kafka keeps of a kind of threads that copy partitions. Shared: any thread. */
final class FetcherMetrics implements AutoCloseable {
    private final KafkaMetricsGroup group;
    private final Map<String, String> tags;
    private final Map<String, Supplier<Number>> gauges = new LinkedHashMap<>();

    /**
     * Registers the gauges.
     *
     * @param type the bean's type: {@code <kind>Manager}
     * @param maxLag how many records the one that is furthest behind is behind
     * @param failedPartitions how many partitions have been given up
     * @param minFetchRate reads a second of the slowest thread
     */
    FetcherMetrics(
            String type,
            String clientId,
            Supplier<Number> maxLag,
            Supplier<Number> failedPartitions,
            Supplier<Number> minFetchRate) {
        group = new KafkaMetricsGroup("kafka.server", type);
        tags = Map.of("clientId", clientId);
        gauges.put("MaxLag", maxLag);
        gauges.put("FailedPartitionsCount", failedPartitions);
        gauges.put("MinFetchRate", minFetchRate);
        gauges.put("DeadThreadCount", () -> 0); // what would end a thread ends the move
        gauges.forEach((name, gauge) -> group.newGauge(name, gauge, tags));
    }

    /** What is to be seen of followers' threads where nothing is followed. */
    static FetcherMetrics ofNoFollowers() {
        return new FetcherMetrics("ReplicaFetcherManager", "Replica", () -> 0L, () -> 0, () -> 0.0);
    }

    @Override
    public void close() {
        gauges.keySet().forEach(name -> group.removeMetric(name, tags));
    }
}
