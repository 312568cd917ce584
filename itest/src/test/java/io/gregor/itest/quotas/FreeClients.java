package io.gregor.itest.quotas;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A producer and a consumer without a quota, as fast as they can. Owned by the thread that calls. */
final class FreeClients {
    private static final int RECORD_BYTES = 20_000;
    private static final int BATCH_BYTES = 400_000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Map<String, Object> settings;
    private final String topic;

    /** Both have this client id, and use partition 0 of the topic. */
    FreeClients(String bootstrap, String clientId, String topic) {
        this.settings = Map.of("bootstrap.servers", bootstrap, "client.id", clientId, "batch.size", BATCH_BYTES);
        this.topic = topic;
    }

    /** Has bytes of records acknowledged; the longest time that the broker told, in milliseconds. */
    double produce(int bytes) {
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int done = 0; done < bytes; done += RECORD_BYTES) {
                producer.send(new ProducerRecord<>(topic, 0, null, new byte[RECORD_BYTES]));
            }
            producer.flush();
            return max(producer.metrics(), "produce-throttle-time-max");
        }
    }

    /** Reads bytes of records from the beginning; the longest time that the broker told, in milliseconds. */
    double consume(int bytes) {
        List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long endNs = System.nanoTime() + LIMIT.toNanos();
            int done = 0;
            while (done < bytes) {
                done += consumer.poll(Duration.ofMillis(100)).count() * RECORD_BYTES;
                if (System.nanoTime() > endNs) {
                    throw new IllegalStateException("consumed only bytes=" + done);
                }
            }
            return max(consumer.metrics(), "fetch-throttle-time-max");
        }
    }

    private static double max(Map<MetricName, ? extends Metric> metrics, String name) {
        return metrics.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name))
                .mapToDouble(entry -> ((Number) entry.getValue().metricValue()).doubleValue())
                .max()
                .orElseThrow();
    }
}
