package io.gregor.itest.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;

/**
 * Kafka's own producer (idempotent) and consumer at work: numbers are written one after the other and read in the same
 * order. Each has a thread of its own. Shared: any thread.
 */
public final class RealClients implements AutoCloseable {
    private static final TopicPartition NUMBERS = new TopicPartition(Frames.NUMBERS, 0);
    private static final long PAUSE_MS = 20;

    private final Producer<Integer, Integer> producer;
    private final Consumer<Integer, Integer> consumer;
    private final Thread writing = new Thread(this::write, "load-producer");
    private final Thread reading = new Thread(this::read, "load-consumer");
    private final CountDownLatch ending = new CountDownLatch(1);
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private volatile boolean isOver;
    private volatile int written;
    private volatile int read;

    private RealClients(Map<String, Object> config) {
        producer = new KafkaProducer<>(config, new IntegerSerializer(), new IntegerSerializer());
        consumer = new KafkaConsumer<>(config, new IntegerDeserializer(), new IntegerDeserializer());
        consumer.assign(List.of(NUMBERS));
        consumer.seekToEnd(consumer.assignment());
        consumer.position(NUMBERS);
    }

    /** Starts them; the node has the topics of loads. */
    public static RealClients start(GregorProcess node) {
        return start(Map.of("bootstrap.servers", node.bootstrap()));
    }

    /** The same with settings of a client. */
    public static RealClients start(Map<String, Object> config) {
        RealClients clients = new RealClients(config);
        clients.writing.start();
        clients.reading.start();
        return clients;
    }

    private void write() {
        try {
            while (!ending.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
                producer.send(new ProducerRecord<>(NUMBERS.topic(), NUMBERS.partition(), null, written))
                        .get();
                written++;
            }
        } catch (Exception failed) {
            fault.set(failed);
        }
    }

    private void read() {
        try {
            while (!isOver) {
                for (ConsumerRecord<Integer, Integer> record : consumer.poll(Duration.ofMillis(200))) {
                    assertThat(record.value()).isEqualTo(read);
                    read++;
                }
            }
        } catch (RuntimeException | AssertionError failed) {
            fault.set(failed);
        }
    }

    /** Asserts that all that was written was read in order, and that no request was repeated and no connection lost. */
    public void finish() {
        stopWriting();
        await().atMost(Load.LIMIT).until(() -> fault.get() != null || read == written);
        stopReading();
        assertThat(fault.get()).isNull();
        assertThat(written).isPositive();
        assertThat(total(producer.metrics(), "record-retry-total")).isZero();
        assertThat(total(producer.metrics(), "record-error-total")).isZero();
        assertThat(total(producer.metrics(), "connection-close-total")).isZero();
        assertThat(total(consumer.metrics(), "connection-close-total")).isZero();
    }

    private void stopWriting() {
        ending.countDown();
        join(writing);
    }

    private void stopReading() {
        isOver = true;
        join(reading);
    }

    private static void join(Thread thread) {
        try {
            thread.join(Load.LIMIT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static double total(Map<MetricName, ? extends Metric> metrics, String name) {
        return metrics.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name))
                .filter(entry -> entry.getKey().group().endsWith("-metrics")
                        && !entry.getKey().group().contains("topic"))
                .mapToDouble(entry -> (double) entry.getValue().metricValue())
                .sum();
    }

    @Override
    public void close() {
        stopWriting();
        stopReading();
        producer.close();
        consumer.close();
    }
}
