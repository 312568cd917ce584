package io.gregor.itest.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of topics that are changed while the topic is there, seen by clients and in the log directory. */
class TopicConfigsIT {
    private static final int MEGABYTE = 1 << 20;
    private static final String LARGE = "x".repeat(300_000);
    private static final String READ_COMMITTED = "read_committed";

    @TempDir
    static Path home;

    private static GregorProcess node;
    private static DataClients clients;
    private static Admin admin;
    private static KafkaProducer<String, String> producer;

    @BeforeAll
    static void start() {
        node = GregorProcess.start(
                home,
                "log.dirs=" + home.resolve("data"),
                "log.retention.check.interval.ms=200",
                "log.initial.task.delay.ms=200",
                "log.cleaner.backoff.ms=200",
                "transaction.state.log.num.partitions=1");
        clients = new DataClients(node);
        admin = clients.admin();
        producer = clients.producer(
                Map.of(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false, ProducerConfig.RETRIES_CONFIG, 0));
    }

    @AfterAll
    static void stop() {
        producer.close();
        admin.close();
        node.close();
    }

    @Test
    void segmentsRollBySizeAndGoWhenThereIsTooMuch() throws Exception {
        clients.create("size", 1, Map.of());
        change("size", "segment.bytes", MEGABYTE, "file.delete.delay.ms", 0);
        await().until(() -> {
            send("size", "k", LARGE);
            return files("size", ".log").size() > 3;
        });

        change("size", "retention.bytes", MEGABYTE);
        await().atMost(DataClients.LIMIT).until(() -> begin("size") > 0);
        await().atMost(DataClients.LIMIT)
                .until(() -> files("size", ".log").size() <= 3
                        && files("size", ".deleted").isEmpty());
    }

    @Test
    void deletedFilesStayAsLongAsTheyAreToBeKept() throws Exception {
        clients.create("delayed", 1, Map.of("file.delete.delay.ms", "3600000"));
        send("delayed", "k", "v");

        change("delayed", "retention.ms", 100);

        await().atMost(DataClients.LIMIT).until(() -> begin("delayed") == 1);
        assertThat(files("delayed", ".deleted")).isNotEmpty();
    }

    @Test
    void segmentsRollByTime() throws Exception {
        clients.create("time", 1, Map.of());
        send("time", "k", "v");

        change("time", "segment.ms", 100, "segment.jitter.ms", 50);

        await().atMost(DataClients.LIMIT).until(() -> {
            send("time", "k", "v");
            return files("time", ".log").size() > 2;
        });
    }

    @Test
    void nextSegmentIsPreallocatedWithTheIndexOfItsSettings() throws Exception {
        clients.create("files", 1, Map.of());
        send("files", "k", "v");

        change(
                "files",
                "preallocate",
                true,
                "segment.bytes",
                MEGABYTE,
                "segment.index.bytes",
                80,
                "index.interval.bytes",
                0,
                "segment.ms",
                1);
        await().atMost(DataClients.LIMIT).until(() -> {
            send("files", "k", "v");
            return files("files", ".log").size() > 1;
        });
        change("files", "segment.ms", null);

        List<File> logs = files("files", ".log");
        List<File> indexes = files("files", ".index");
        assertThat(logs.get(logs.size() - 1).length()).isEqualTo(MEGABYTE);
        assertThat(indexes.get(indexes.size() - 1).length()).isEqualTo(80);
        await().atMost(DataClients.LIMIT).until(() -> {
            send("files", "k", "v");
            return files("files", ".log").size() > logs.size();
        });
    }

    @Test
    void recordsAreRefusedByTheNewLimits() throws Exception {
        clients.create("limits", 1, Map.of());
        long now = System.currentTimeMillis();
        send("limits", "k", LARGE);

        change("limits", "max.message.bytes", 1_000);
        awaitRefusal("limits", now, LARGE, RecordTooLargeException.class);
        change("limits", "message.timestamp.before.max.ms", 1_000_000);
        awaitRefusal("limits", now - 10_000_000, "v", InvalidTimestampException.class);
        change("limits", "message.timestamp.after.max.ms", 1_000_000);
        awaitRefusal("limits", now + 10_000_000, "v", InvalidTimestampException.class);
        change("limits", "min.insync.replicas", 2);
        send("limits", "of the one replica there can be no more in sync", "v");

        change("limits", "max.message.bytes", null);
        await().atMost(DataClients.LIMIT).ignoreExceptions().until(() -> send("limits", "k", LARGE) > 0);
    }

    private static void awaitRefusal(String topic, long timestamp, String value, Class<? extends Exception> refusal) {
        await().atMost(DataClients.LIMIT).untilAsserted(() -> assertThatThrownBy(
                        () -> producer.send(new ProducerRecord<>(topic, 0, timestamp, "k", value))
                                .get())
                .hasCauseInstanceOf(refusal));
    }

    @Test
    void batchesGetTheNewCompressionAndTimestampType() throws Exception {
        clients.create("batches", 1, Map.of());
        for (String type : List.of("gzip", "snappy", "lz4", "zstd", "uncompressed")) {
            change("batches", "compression.type", type);
            String shown = type.equals("uncompressed") ? "none" : type;
            await().atMost(DataClients.LIMIT).until(() -> {
                send("batches", "k", "v");
                return lastBatch("batches").startsWith(shown + " ");
            });
        }
        change("batches", "message.timestamp.type", "LogAppendTime");
        await().atMost(DataClients.LIMIT).until(() -> {
            send("batches", "k", "v");
            return lastBatch("batches").endsWith(" LogAppendTime");
        });
    }

    @Test
    void compressionLevelsMakeADifference() throws Exception {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60_000; i++) {
            text.append((char) ('a' + random.nextInt(6))).append(i % 97);
        }
        String value = text.toString();
        for (String type : List.of("gzip", "lz4", "zstd")) {
            String topic = "level-" + type;
            String level = "compression." + type + ".level";
            clients.create(topic, 1, Map.of("compression.type", type, level, "1"));
            long fast = grown(topic, value);
            change(topic, level, type.equals("gzip") ? 9 : 15);
            await().atMost(DataClients.LIMIT).until(() -> grown(topic, value) < fast);
        }
    }

    private static long grown(String topic, String value) throws Exception {
        long before = files(topic, ".log").get(0).length();
        send(topic, "k", value);
        return files(topic, ".log").get(0).length() - before;
    }

    @Test
    void aTopicBecomesCompactedAndItsTombstonesGo() throws Exception {
        clients.create("compacted", 1, Map.of("min.cleanable.dirty.ratio", "0.01", "delete.retention.ms", "100"));
        send("compacted", "a", "1");
        send("compacted", "a", "2");
        send("compacted", "b", "1");
        send("compacted", "b", null);

        change("compacted", "cleanup.policy", "compact", "segment.ms", 100);
        awaitCleaned("compacted", "a=1", "b=1", "b=null");

        assertThat(read("compacted", "read_uncommitted")).contains("a=2");
    }

    @Test
    void recordsAreCompactedWhenTheirLagsSaySo() throws Exception {
        clients.create(
                "lags", 1, Map.of("cleanup.policy", "compact", "segment.ms", "100", "min.cleanable.dirty.ratio", "1"));
        change("lags", "min.compaction.lag.ms", 3_600_000);
        send("lags", "a", "1");
        await().atMost(DataClients.LIMIT).until(() -> {
            send("lags", "a", "2");
            return files("lags", ".log").size() > 2;
        });
        assertThat(read("lags", "read_uncommitted")).contains("a=1");

        change("lags", "min.compaction.lag.ms", 0, "max.compaction.lag.ms", 100);
        awaitCleaned("lags", "a=1");
    }

    @Test
    void aCompactedTopicMayForgetToo() throws Exception {
        clients.create("both", 1, Map.of("cleanup.policy", "compact", "segment.ms", "100"));
        send("both", "a", "1");

        change("both", "cleanup.policy", "compact,delete", "retention.ms", 100);

        await().atMost(DataClients.LIMIT).until(() -> begin("both") == 1);
    }

    @Test
    void compactionOfTransactionsLeavesWhatIsCommittedAlsoAfterAKill() throws Exception {
        clients.create("transactions", 1, Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01"));
        try (KafkaProducer<String, String> transactional =
                clients.producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "compacted"))) {
            transactional.initTransactions();
            transact(transactional, "a", "1", true);
            transact(transactional, "a", "aborted", false);
            transact(transactional, "b", "1", true);
            transact(transactional, "b", "2", true);
            KafkaProducer<String, String> idempotent = clients.producer(Map.of());
            idempotent.send(new ProducerRecord<>("transactions", 0, "c", "1")).get();
            change("transactions", "segment.ms", 100);
            awaitCleaned("transactions", "a=aborted", "b=1");
            assertThat(read("transactions", READ_COMMITTED)).contains("a=1", "b=2", "c=1");

            node.kill();
            node.restart();

            transact(transactional, "d", "1", true);
            idempotent.send(new ProducerRecord<>("transactions", 0, "c", "2")).get();
            idempotent.close();
        }
        awaitCleaned("transactions", "c=1");
        assertThat(read("transactions", READ_COMMITTED)).contains("a=1", "b=2", "c=2", "d=1");
    }

    private static void transact(
            KafkaProducer<String, String> transactional, String key, String value, boolean isCommitted)
            throws Exception {
        transactional.beginTransaction();
        transactional.send(new ProducerRecord<>("transactions", 0, key, value)).get();
        if (isCommitted) {
            transactional.commitTransaction();
        } else {
            transactional.abortTransaction();
        }
    }

    /** What is written meanwhile makes segments that can be cleaned. */
    private static void awaitCleaned(String topic, String... gone) {
        await().atMost(DataClients.LIMIT).until(() -> {
            send(topic, "filler", Long.toString(System.nanoTime()));
            return read(topic, "read_uncommitted").stream().noneMatch(List.of(gone)::contains);
        });
    }

    private static void change(String topic, Object... keysAndValues) throws Exception {
        List<AlterConfigOp> operations = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Object value = keysAndValues[i + 1];
            operations.add(new AlterConfigOp(
                    new ConfigEntry((String) keysAndValues[i], Objects.toString(value, null)),
                    value == null ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET));
        }
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), operations))
                .all()
                .get();
    }

    private static long send(String topic, String key, String value) throws Exception {
        return producer.send(new ProducerRecord<>(topic, 0, key, value)).get().offset();
    }

    private static List<File> files(String topic, String suffix) {
        File[] found = home.resolve("data")
                .resolve(topic + "-0")
                .toFile()
                .listFiles((directory, name) -> name.endsWith(suffix));
        return found == null ? List.of() : Arrays.stream(found).sorted().toList();
    }

    private static String lastBatch(String topic) throws Exception {
        String last = "";
        try (FileRecords records = FileRecords.open(files(topic, ".log").get(0), false)) {
            for (RecordBatch batch : records.batches()) {
                last = batch.compressionType().name + " " + batch.timestampType();
            }
        }
        return last;
    }

    private static long begin(String topic) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private static List<String> read(String topic, String isolation) {
        List<String> read = new ArrayList<>();
        for (ConsumerRecord<String, String> record :
                clients.readAll(topic, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation))) {
            read.add(record.key() + "=" + record.value());
        }
        return read;
    }
}
