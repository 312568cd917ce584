package io.gregor.itest.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsIT {
    @TempDir
    static Path home;

    private static GregorProcess node;
    private static DataClients clients;

    @BeforeAll
    static void start() {
        node = GregorProcess.start(home, "log.dirs=disk1,disk2", "log.cleaner.backoff.ms=300");
        clients = new DataClients(node);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void everyRecordIsReadOnceAndInOrder(String compression) throws Exception {
        String topic = "compressed-" + compression;
        clients.create(topic, 1, Map.of());

        produce(topic, Map.of(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression), 5000);

        assertThat(clients.readAll(topic, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")))
                .extracting(ConsumerRecord::value)
                .containsExactlyElementsOf(
                        IntStream.range(0, 5000).mapToObj(value -> "v" + value).toList());
    }

    @Test
    void smallFetchesMakeProgressOverLargeBatches() throws Exception {
        clients.create("small-fetches", 3, Map.of());
        produce("small-fetches", Map.of(ProducerConfig.LINGER_MS_CONFIG, 50), 20_000);

        assertThat(clients.readAll(
                        "small-fetches",
                        Map.of(
                                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 100,
                                ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 200)))
                .hasSize(20_000);
    }

    @Test
    void waitingFetchIsAnsweredWhenARecordComes() throws Exception {
        clients.create("awaited", 1, Map.of());
        TopicPartition partition = new TopicPartition("awaited", 0);
        try (KafkaConsumer<String, String> consumer = clients.consumer(Map.of(
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 25_000,
                        ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 40_000));
                KafkaProducer<String, String> producer = clients.producer(Map.of())) {
            consumer.assign(List.of(partition));
            consumer.poll(Duration.ofMillis(500));
            CompletableFuture<ConsumerRecords<String, String>> polled =
                    Background.supply(() -> consumer.poll(Duration.ofSeconds(20)));

            producer.send(new ProducerRecord<>("awaited", "k", "v")).get(10, TimeUnit.SECONDS);

            assertThat(polled.get(10, TimeUnit.SECONDS).count()).isEqualTo(1);
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    @Test
    void offsetsAreFoundByTimestampAndAtTheEnds() throws Exception {
        clients.create("offsets", 1, Map.of());
        TopicPartition partition = new TopicPartition("offsets", 0);
        try (KafkaProducer<String, String> producer = clients.producer(Map.of());
                Admin admin = clients.admin()) {
            long base = 1_700_000_000_000L;
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>("offsets", 0, base + i * 100, "k", "v" + i))
                        .get(10, TimeUnit.SECONDS);
            }

            assertThat(offset(admin, partition, OffsetSpec.earliest())).isZero();
            assertThat(offset(admin, partition, OffsetSpec.latest())).isEqualTo(10);
            assertThat(offset(admin, partition, OffsetSpec.maxTimestamp())).isEqualTo(9);
            assertThat(offset(admin, partition, OffsetSpec.forTimestamp(base + 250)))
                    .isEqualTo(3);
        }
    }

    @Test
    void deletedRecordsAreGoneAndTheRestStays() throws Exception {
        clients.create("deleted", 1, Map.of());
        produce("deleted", Map.of(), 100);
        TopicPartition partition = new TopicPartition("deleted", 0);
        try (Admin admin = clients.admin()) {
            long lowWatermark = admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(40)))
                    .lowWatermarks()
                    .get(partition)
                    .get(10, TimeUnit.SECONDS)
                    .lowWatermark();

            assertThat(lowWatermark).isEqualTo(40);
            assertThat(clients.readAll("deleted", Map.of())).hasSize(60).first().matches(one -> one.offset() == 40);
        }
    }

    @Test
    void topicThatIsMadeAgainIsEmpty() throws Exception {
        for (int round = 0; round < 5; round++) {
            clients.create("again", 2, Map.of());
            produce("again", Map.of(), 10);
            assertThat(clients.readAll("again", Map.of())).hasSize(10);
            try (Admin admin = clients.admin()) {
                admin.deleteTopics(List.of("again")).all().get(10, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void compactedTopicKeepsTheLastRecordOfEachKey() throws Exception {
        clients.create(
                "compacted",
                1,
                Map.of(
                        "cleanup.policy", "compact",
                        "segment.bytes", "1048576",
                        "min.cleanable.dirty.ratio", "0.01"));
        String filler = "x".repeat(1000);
        try (KafkaProducer<String, String> producer = clients.producer(Map.of())) {
            for (int i = 0; i < 4000; i++) {
                producer.send(new ProducerRecord<>("compacted", "k" + i % 10, i + filler));
            }
        }

        await().atMost(DataClients.LIMIT).untilAsserted(() -> assertThat(clients.readAll("compacted", Map.of()))
                .hasSizeLessThan(2500));
        assertThat(clients.readAll("compacted", Map.of())).last().matches(record -> record.value()
                .startsWith("3999"));
    }

    @Test
    void partitionsAreSpreadOverTheDirectoriesAndReported() throws Exception {
        clients.create("spread", 6, Map.of());
        try (Admin admin = clients.admin()) {
            long used =
                    admin
                            .describeLogDirs(List.of(1))
                            .allDescriptions()
                            .get(10, TimeUnit.SECONDS)
                            .get(1)
                            .values()
                            .stream()
                            .filter(directory -> directory.replicaInfos().keySet().stream()
                                    .anyMatch(partition -> partition.topic().equals("spread")))
                            .count();

            assertThat(used).isEqualTo(2);
        }
    }

    private static void produce(String topic, Map<String, Object> settings, int count) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = clients.producer(settings)) {
            for (int value = 0; value < count; value++) {
                sent.add(producer.send(new ProducerRecord<>(topic, "k" + value, "v" + value)));
            }
        }
        for (Future<RecordMetadata> one : sent) {
            one.get(10, TimeUnit.SECONDS);
        }
    }

    private static long offset(Admin admin, TopicPartition partition, OffsetSpec spec) throws Exception {
        return admin.listOffsets(Map.of(partition, spec))
                .partitionResult(partition)
                .get(10, TimeUnit.SECONDS)
                .offset();
    }
}
