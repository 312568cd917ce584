package io.gregor.replication.internal;

import com.yammer.metrics.core.Meter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;

/** What one copying thread reads, under Kafka's names. Owned by whoever makes and ends the thread; marked by the thread. */
final class FetcherStats implements AutoCloseable {
    private static final String REQUESTS = "RequestsPerSec";
    private static final String BYTES = "BytesPerSec";

    private final KafkaMetricsGroup group = new KafkaMetricsGroup("kafka.server", "FetcherStats");
    private final Map<String, String> tags;
    private final Meter requests;
    private final Meter bytes;

    /** Meters of a thread that reads of this broker's own logs. */
    FetcherStats(String threadName) {
        tags = Map.of("clientId", threadName, "brokerHost", "localhost", "brokerPort", "-1");
        requests = group.newMeter(REQUESTS, "requests", TimeUnit.SECONDS, tags);
        bytes = group.newMeter(BYTES, "bytes", TimeUnit.SECONDS, tags);
    }

    void read(int count) {
        requests.mark();
        bytes.mark(count);
    }

    double requestRate() {
        return requests.oneMinuteRate();
    }

    @Override
    public void close() {
        group.removeMetric(REQUESTS, tags);
        group.removeMetric(BYTES, tags);
    }
}
