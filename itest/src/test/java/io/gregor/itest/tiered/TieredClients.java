package io.gregor.itest.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.plugins.PluginJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
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
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Clients of a node with {@link DirectoryStorage}, and what they know of its topics. Owned by the test thread. */
final class TieredClients implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(60);

    /** So many records are produced to a topic: two segments and a half. */
    static final int RECORDS = 2_500;

    static final long FIRST_MS = System.currentTimeMillis() - 1_000_000;

    static final Map<String, String> TIERED = Map.of(
            "remote.storage.enable", "true",
            "segment.bytes", "1048576",
            "local.retention.bytes", "1",
            "file.delete.delay.ms", "100");

    private final Path remote;
    private final Map<String, Object> clients;
    private final Admin admin;

    /** Clients of a node on this home, with these settings. */
    TieredClients(Path home, Map<String, Object> clients) {
        this.remote = directory(home);
        this.clients = clients;
        this.admin = Admin.create(clients);
    }

    private static Path directory(Path home) {
        return home.resolve("remote");
    }

    /** Puts the plugin into {@code deploy/}; the settings with which a node uses it, and metadata that is there soon. */
    static List<String> deploy(Path home) throws IOException {
        PluginJar.named("io.gregor.itest.tiered", "1.0.0")
                .imports(
                        "org.apache.kafka.common",
                        "org.apache.kafka.common.utils",
                        "org.apache.kafka.server.log.remote.storage")
                .classes(DirectoryStorage.class)
                .writeTo(Files.createDirectories(home.resolve("deploy")).resolve("directory.jar"));
        return List.of(
                "remote.log.storage.system.enable=true",
                "remote.log.storage.manager.class.name=" + DirectoryStorage.class.getName(),
                "rsm.config.directory=" + directory(home),
                "rlmm.config.remote.log.metadata.topic.replication.factor=1",
                "rlmm.config.remote.log.metadata.topic.min.isr=1",
                "rlmm.config.remote.log.metadata.topic.num.partitions=1",
                "remote.log.manager.task.interval.ms=300",
                "log.retention.check.interval.ms=300",
                "log.initial.task.delay.ms=300");
    }

    /** The plugin's directory. */
    Path remote() {
        return remote;
    }

    Admin admin() {
        return admin;
    }

    /** The settings of these clients and one more. */
    Map<String, Object> with(String key, Object value) {
        Map<String, Object> all = new HashMap<>(clients);
        all.put(key, value);
        return all;
    }

    void create(String topic, Map<String, String> settings) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(settings)))
                .all()
                .get();
    }

    void alter(String topic, String... settings) throws Exception {
        alter(ConfigResource.Type.TOPIC, topic, settings);
    }

    /** Changes settings ({@code key=value}). */
    void alter(ConfigResource.Type type, String name, String... settings) throws Exception {
        List<AlterConfigOp> changes = new ArrayList<>();
        for (String setting : settings) {
            int at = setting.indexOf('=');
            changes.add(new AlterConfigOp(
                    new ConfigEntry(setting.substring(0, at), setting.substring(at + 1)), AlterConfigOp.OpType.SET));
        }
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(type, name), changes))
                .all()
                .get();
    }

    void produce(String topic) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(clients, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(topic, 0, FIRST_MS + i, null, value(i)));
            }
            producer.flush();
        }
    }

    static byte[] value(long offset) {
        byte[] value = new byte[1_000];
        new Random(offset).nextBytes(value);
        return value;
    }

    /** Reads all from the beginning and compares each byte; how many there were. */
    long consumed(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        long next = offset(topic, OffsetSpec.earliest());
        long first = next;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                with("auto.offset.reset", "none"), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
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

    long offset(String topic, OffsetSpec which) {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, which))
                .partitionResult(partition)
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .offset();
    }

    void awaitLocalStart(String topic, long atLeast) {
        await().atMost(LIMIT).ignoreExceptions().untilAsserted(() -> assertThat(
                        offset(topic, OffsetSpec.earliestLocal()))
                .isGreaterThanOrEqualTo(atLeast));
    }

    long files(String topic) throws IOException {
        Path folder = remote.resolve(topic + "-0");
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
