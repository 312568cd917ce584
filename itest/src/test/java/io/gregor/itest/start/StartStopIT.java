package io.gregor.itest.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartStopIT {
    @TempDir
    Path home;

    @Test
    void startsOnAnEmptyHomeAndStopsCleanlyBySigterm() {
        try (GregorProcess node = GregorProcess.start(home)) {
            int status = node.stop();

            assertThat(status).isEqualTo(143);
            assertThat(home.resolve("data/.kafka_cleanshutdown")).exists();
            assertThat(node.logText()).doesNotContain(" ERROR ");
        }
    }

    @Test
    void secondStartAfterACleanStopNeedsNoRecovery() throws Exception {
        try (GregorProcess node = GregorProcess.start(home)) {
            write(node, "first");
            node.stop();
            int before = node.logText().length();

            node.restart();

            // The metadata log is looked through at every start, as Kafka does.
            assertThat(node.logText().substring(before).lines())
                    .noneMatch(line -> line.contains("Recovering unflushed segment") && line.contains("letters-0"));
            assertThat(read(node, 1)).containsExactly("first");
        }
    }

    @Test
    void acknowledgedRecordsAreThereAfterItWasKilled() throws Exception {
        try (GregorProcess node = GregorProcess.start(home)) {
            write(node, "first", "second");
            node.kill();

            node.restart();

            assertThat(read(node, 2)).containsExactly("first", "second");
        }
    }

    @Test
    void secondStartOnTheSameHomeIsRefusedAndTheFirstGoesOn() {
        try (GregorProcess node = GregorProcess.start(home)) {
            Finished second = GregorProcess.gregor(home, "start", "--home", home.toString());

            assertThat(second.status()).isEqualTo(1);
            assertThat(second.output().lines())
                    .singleElement()
                    .asString()
                    .contains("home=" + home, "pid=" + node.pid(), "--home");
            node.awaitReady();
        }
    }

    @Test
    void wrongValueOfAKeyEndsTheStartWithOneMessage() {
        try (GregorProcess node = GregorProcess.launch(home, "num.network.threads=many")) {
            int status = node.awaitExit();

            assertThat(status).isEqualTo(1);
            assertThat(node.consoleText())
                    .contains("num.network.threads", "many")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void portInUseEndsTheStartWithOneMessage(@TempDir Path other) {
        try (GregorProcess first = GregorProcess.start(other);
                GregorProcess second =
                        GregorProcess.launch("server.properties", home, first.port(), GregorProcess.freePort())) {
            int status = second.awaitExit();

            assertThat(status).isEqualTo(1);
            assertThat(second.consoleText())
                    .contains("listeners", String.valueOf(first.port()))
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void missingConfigurationFileIsNamed() {
        Finished start = GregorProcess.gregor(home, "start", "no-such.properties", "--home", home.toString());

        assertThat(start.status()).isEqualTo(1);
        assertThat(start.output().lines()).singleElement().asString().contains("no-such.properties");
    }

    private static void write(GregorProcess node, String... values) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", node.bootstrap(), "acks", "all");
        try (Producer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>("letters", value)).get();
            }
        }
    }

    private static List<String> read(GregorProcess node, int count) {
        Map<String, Object> config = Map.of("bootstrap.servers", node.bootstrap(), "auto.offset.reset", "earliest");
        TopicPartition letters = new TopicPartition("letters", 0);
        List<String> values = new ArrayList<>();
        try (Consumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(letters));
            await().atMost(GregorProcess.READY_LIMIT).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                return values.size() >= count;
            });
        }
        return values;
    }
}
