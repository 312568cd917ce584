package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.data.DataClients;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log tells what each client moved, sooner or later all of it, and changes nothing. */
class AuditPluginIT {
    private static final Pattern LINE = Pattern.compile("audit: principal=User:ANONYMOUS client=(\\S+) ms=\\d+ "
            + "requests=(\\d+) bytesIn=(\\d+) bytesOut=(\\d+) errors=(\\d+) throttleMs=(\\d+)");
    private static final int RECORDS = 20;
    private static final int VALUE_BYTES = 10_000;

    @TempDir
    private Path home;

    @Test
    void tellsWhatEachClientMoved() throws Exception {
        try (GregorProcess node = GregorProcess.start(home, "example.audit.interval.ms=200")) {
            DataClients clients = new DataClients(node);
            clients.create("audited", 1, Map.of());
            ExamplePlugin audit = ExamplePlugin.drop(node, "audit");

            produce(clients);
            assertThat(clients.readAll("audited", Map.of(ConsumerConfig.CLIENT_ID_CONFIG, "reader")))
                    .hasSize(RECORDS);
            await().atMost(DataClients.LIMIT).untilAsserted(() -> {
                produceOne(clients);
                assertThat(moved(node, "writer").requests()).isEqualTo(RECORDS);
            });
            audit.takeAway();

            Moved writer = moved(node, "writer");
            long allBytes = (long) RECORDS * VALUE_BYTES;
            assertThat(writer.requests()).isEqualTo(RECORDS);
            assertThat(writer.bytesIn()).isBetween(allBytes, allBytes + 200L * RECORDS);
            assertThat(writer.bytesOut()).isBetween(1L, 200L * RECORDS);
            assertThat(writer.errors()).isZero();
            Moved reader = moved(node, "reader");
            assertThat(reader.requests()).isPositive();
            assertThat(reader.bytesOut()).isGreaterThan(allBytes);
            assertThat(moved(node, "clock").requests()).isPositive();
            assertThat(node.logText()).doesNotContain("] ERROR ");
        }
    }

    private static void produce(DataClients clients) throws Exception {
        try (KafkaProducer<String, String> producer =
                clients.producer(Map.of(ProducerConfig.CLIENT_ID_CONFIG, "writer"))) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>("audited", "x".repeat(VALUE_BYTES)))
                        .get(DataClients.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    /** The first request after an interval has the lines of that one written. */
    private static void produceOne(DataClients clients) throws Exception {
        try (KafkaProducer<String, String> producer =
                clients.producer(Map.of(ProducerConfig.CLIENT_ID_CONFIG, "clock"))) {
            producer.send(new ProducerRecord<>("audited", "tick")).get(DataClients.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private record Moved(long requests, long bytesIn, long bytesOut, long errors, long throttleMs) {}

    /** All lines of one client together. */
    private static Moved moved(GregorProcess node, String client) {
        List<String> lines = node.logText().lines().toList();
        long[] sums = new long[5];
        for (String line : lines) {
            Matcher audit = LINE.matcher(line);
            if (audit.find() && audit.group(1).equals(client)) {
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += Long.parseLong(audit.group(i + 2));
                }
            }
        }
        return new Moved(sums[0], sums[1], sums[2], sums[3], sums[4]);
    }
}
