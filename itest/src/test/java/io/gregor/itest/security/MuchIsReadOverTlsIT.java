package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches of many megabytes over TLS: their bytes go out in pieces, wherever the socket is full. */
class MuchIsReadOverTlsIT {
    private static final TopicPartition PARTITION = new TopicPartition("bulk", 0);
    private static final int RECORDS = 2_000;
    private static final int LARGEST_BYTES = 20_000;
    private static final int PASSES = 2;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path home;

    @Test
    void everyByteArrivesWhereverAResponseIsCut() throws Exception {
        try (SecuredNode node = SecuredNode.start(home, "socket.send.buffer.bytes=30000")) {
            List<byte[]> values = write(node);
            for (int pass = 0; pass < PASSES; pass++) {
                assertRead(node, values, 40_000 + 37_000 * pass);
            }
        }
    }

    private static List<byte[]> write(SecuredNode node) throws Exception {
        Map<String, Object> settings = new HashMap<>(node.clients(SecurityProtocol.SSL));
        settings.put("batch.size", 100_000);
        Random random = new Random(7);
        List<byte[]> values = new ArrayList<>();
        List<Future<RecordMetadata>> acknowledged = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] value = new byte[random.nextInt(LARGEST_BYTES)];
                random.nextBytes(value);
                values.add(value);
                acknowledged.add(
                        producer.send(new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, value)));
            }
            for (Future<RecordMetadata> one : acknowledged) {
                one.get();
            }
        }
        return values;
    }

    private static void assertRead(SecuredNode node, List<byte[]> values, int receiveBufferBytes) {
        Map<String, Object> settings = new HashMap<>(node.clients(SecurityProtocol.SSL));
        settings.put("receive.buffer.bytes", receiveBufferBytes);
        settings.put("max.partition.fetch.bytes", 200_000);
        settings.put("fetch.max.bytes", 200_000);
        int next = 0;
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long endNs = System.nanoTime() + LIMIT.toNanos();
            while (next < values.size() && System.nanoTime() < endNs) {
                for (var read : consumer.poll(Duration.ofMillis(100))) {
                    assertThat(Arrays.equals(read.value(), values.get(next)))
                            .as("record %d with a receive buffer of %d bytes", next, receiveBufferBytes)
                            .isTrue();
                    next++;
                }
            }
        }
        assertThat(next).isEqualTo(values.size());
    }
}
