package io.gregor.itest.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.plugins.PluginJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node with remote storage, its plugin a bundle in deploy/: every byte comes back, whatever happens in between. */
class RemoteStorageIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int RECORDS = 2_500;
    private static final long FIRST_MS = System.currentTimeMillis() - 1_000_000;
    private static final Map<String, String> TIERED = Map.of(
            "remote.storage.enable", "true",
            "segment.bytes", "1048576",
            "local.retention.bytes", "1",
            "file.delete.delay.ms", "100");

    @TempDir
    static Path home;

    private static Path remote;
    private static GregorProcess node;
    private static Admin admin;

    @BeforeAll
    static void start() throws Exception {
        remote = home.resolve("remote");
        PluginJar.named("io.gregor.itest.tiered", "1.0.0")
                .imports(
                        "org.apache.kafka.common",
                        "org.apache.kafka.common.utils",
                        "org.apache.kafka.server.log.remote.storage")
                .classes(DirectoryStorage.class)
                .writeTo(Files.createDirectories(home.resolve("deploy")).resolve("directory.jar"));
        node = GregorProcess.start(
                home,
                "remote.log.storage.system.enable=true",
                "remote.log.storage.manager.class.name=" + DirectoryStorage.class.getName(),
                "rsm.config.directory=" + remote,
                "remote.log.metadata.manager.listener.name=PLAINTEXT",
                "rlmm.config.remote.log.metadata.topic.replication.factor=1",
                "rlmm.config.remote.log.metadata.topic.min.isr=1",
                "rlmm.config.remote.log.metadata.topic.num.partitions=1",
                "remote.log.manager.task.interval.ms=300",
                "log.retention.check.interval.ms=300",
                "log.initial.task.delay.ms=300");
        admin = Admin.create(Map.of("bootstrap.servers", node.bootstrap()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        node.close();
    }

    @Test
    void whatWentRemoteIsReadFoundAndDeleted() throws Exception {
        create("read", TIERED);
        produce("read");
        awaitLocalStart("read", 1_500);

        assertThat(consumed("read")).isEqualTo(RECORDS);
        assertThat(offset("read", OffsetSpec.earliest())).isZero();
        assertThat(offset("read", OffsetSpec.forTimestamp(FIRST_MS + 500))).isEqualTo(500);
        assertThat(offset("read", OffsetSpec.latestTiered())).isGreaterThanOrEqualTo(1_499);

        assertThat(files("read")).isPositive();
        admin.deleteTopics(List.of("read")).all().get();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(files("read")).isZero());
    }

    @Test
    void anUploadThatAKillInterruptedIsMadeAgain() throws Exception {
        Files.createDirectories(remote);
        Path hold = Files.createFile(remote.resolve("hold"));
        create("killed", TIERED);
        produce("killed");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(files("killed")).isPositive());

        node.kill();
        Files.delete(hold);
        node.restart();

        awaitLocalStart("killed", 1_500);
        assertThat(consumed("killed")).isEqualTo(RECORDS);
    }

    @Test
    void aTopicIsTieredAndNoLongerWhileItLives() throws Exception {
        create("live", Map.of("segment.bytes", "1048576", "file.delete.delay.ms", "100"));
        produce("live");
        alter("live", "remote.storage.enable=true", "local.retention.bytes=1");
        awaitLocalStart("live", 1_500);
        assertThat(consumed("live")).isEqualTo(RECORDS);

        assertThatThrownBy(() -> alter("live", "remote.storage.enable=false"))
                .hasCauseInstanceOf(InvalidConfigurationException.class);
        alter("live", "remote.storage.enable=false", "remote.log.delete.on.disable=true");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(files("live")).isZero());
        long start = offset("live", OffsetSpec.earliest());
        assertThat(start).isGreaterThanOrEqualTo(1_500);
        assertThat(consumed("live")).isEqualTo(RECORDS - start);
    }

    private static void create(String topic, Map<String, String> settings) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(settings)))
                .all()
                .get();
    }

    private static void alter(String topic, String... settings) throws Exception {
        List<AlterConfigOp> changes = new ArrayList<>();
        for (String setting : settings) {
            int at = setting.indexOf('=');
            changes.add(new AlterConfigOp(
                    new ConfigEntry(setting.substring(0, at), setting.substring(at + 1)), AlterConfigOp.OpType.SET));
        }
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes))
                .all()
                .get();
    }

    private static void produce(String topic) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", node.bootstrap()), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(topic, 0, FIRST_MS + i, null, value(i)));
            }
            producer.flush();
        }
    }

    private static byte[] value(long offset) {
        byte[] value = new byte[1_000];
        new Random(offset).nextBytes(value);
        return value;
    }

    /** Reads all from the beginning and compares each byte; how many there were. */
    private static long consumed(String topic) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        long next = offset(topic, OffsetSpec.earliest());
        long first = next;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", node.bootstrap(), "auto.offset.reset", "none"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, first);
            long deadlineNs = System.nanoTime() + LIMIT.toNanos();
            while (next < RECORDS && System.nanoTime() < deadlineNs) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    assertThat(record.offset()).isEqualTo(next);
                    assertThat(Arrays.equals(record.value(), value(next)))
                            .as("offset " + next)
                            .isTrue();
                    next++;
                }
            }
        }
        return next - first;
    }

    private static long offset(String topic, OffsetSpec which) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, which))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private static void awaitLocalStart(String topic, long atLeast) {
        await().atMost(LIMIT).ignoreExceptions().untilAsserted(() -> assertThat(
                        offset(topic, OffsetSpec.earliestLocal()))
                .isGreaterThanOrEqualTo(atLeast));
    }

    private static long files(String topic) throws IOException {
        Path folder = remote.resolve(topic + "-0");
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }
}
