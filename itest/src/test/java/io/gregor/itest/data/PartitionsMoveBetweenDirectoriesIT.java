package io.gregor.itest.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionsMoveBetweenDirectoriesIT {
    private static final String THROTTLE = "replica.alter.log.dirs.io.max.bytes.per.second";
    private static final int NODE_ID = 1;
    private static final int UNFLUSHED = 20;

    /** Little beside what there is, so that the quota, which lets one step pass at a time, holds a move up on any machine. */
    private static final int STEP_BYTES = 20_000;

    @TempDir
    static Path home;

    private static GregorProcess node;
    private static DataClients clients;
    private static Admin admin;
    private static KafkaProducer<String, String> writer;

    @BeforeAll
    static void start() {
        node = GregorProcess.start(
                home,
                "log.dirs=" + directory(0) + "," + directory(1) + "," + directory(2),
                "replica.fetch.max.bytes=" + STEP_BYTES,
                "transaction.state.log.num.partitions=1",
                "log.cleaner.backoff.ms=200",
                "broker.heartbeat.interval.ms=500",
                "broker.session.timeout.ms=3000");
        clients = new DataClients(node);
        admin = clients.admin();
        writer = clients.producer(Map.of());
    }

    @AfterAll
    static void stop() {
        writer.close();
        admin.close();
        node.close();
    }

    private static String directory(int index) {
        return home.resolve("logs" + index).toString();
    }

    @Test
    void aPartitionThatIsWrittenAndReadMovesWithoutALoss() throws Exception {
        clients.create("active", 1, Map.of());
        Load load = new Load("active", Map.of(ProducerConfig.ACKS_CONFIG, "all"));
        load.start();
        for (int round = 0; round < 4; round++) {
            load.awaitMore(500);
            move("active", elsewhere("active"));
        }
        load.awaitMore(500);
        load.end();

        assertAllThere("active", load);
    }

    @Test
    void aPartitionOfTransactionsMovesWithWhatIsOpen() throws Exception {
        clients.create("transferred", 1, Map.of());
        try (KafkaProducer<String, String> producer =
                clients.producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "mover"))) {
            producer.initTransactions();
            transact(producer, "committed", true);
            transact(producer, "aborted", false);
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("transferred", 0, null, "open")).get();
            move("transferred", elsewhere("transferred"));
            producer.send(new ProducerRecord<>("transferred", 0, null, "went on"))
                    .get();
            producer.commitTransaction();
        }
        assertThat(clients.readAll("transferred", Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")))
                .extracting(ConsumerRecord::value)
                .containsExactly("committed", "open", "went on");
    }

    private static void transact(KafkaProducer<String, String> producer, String value, boolean isCommitted)
            throws Exception {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("transferred", 0, null, value)).get();
        if (isCommitted) {
            producer.commitTransaction();
        } else {
            producer.abortTransaction();
        }
    }

    @Test
    void aMoveIsThrottledShownAbandonedAndSurvivesAKill() throws Exception {
        clients.create("slow", 1, Map.of("segment.bytes", "1048576"));
        Load load = new Load("slow", Map.of(ProducerConfig.ACKS_CONFIG, "all", ProducerConfig.BATCH_SIZE_CONFIG, 1000));
        load.start();
        load.awaitMore(4_000);
        throttle(Integer.toString(STEP_BYTES / 20));
        String from = place("slow");
        String to = elsewhere("slow");
        alter("slow", to);
        await().until(() -> shown("slow", to) != null);
        assertThat(shown("slow", to)).matches(ReplicaInfo::isFuture).matches(copy -> copy.offsetLag() > 0);

        alter("slow", from);
        await().until(() -> shown("slow", to) == null);
        assertThat(place("slow")).isEqualTo(from);

        alter("slow", to);
        await().until(() -> shown("slow", to) != null);
        load.awaitMore(1_000);
        node.kill();
        node.restart();
        load.awaitMore(1_000);
        assertThat(place("slow")).isEqualTo(from);
        assertThat(shown("slow", to)).matches(ReplicaInfo::isFuture);
        throttle("");
        await().atMost(DataClients.LIMIT).until(() -> place("slow").equals(to));
        load.awaitMore(1_000);
        load.end();

        assertAllThere("slow", load);
        await().until(() -> Files.notExists(Path.of(from, "slow-0")));
    }

    @Test
    void aCordonedDirectoryKeepsWhatItHasAndGetsNothingNew() throws Exception {
        clients.create("before", 6, Map.of());
        assertThat(held(directory(2), "before")).isPositive();
        for (int partition = 0; partition < 6; partition++) {
            write("before", partition, "k", "v");
        }

        configure("cordoned.log.dirs", directory(2));

        assertThat(node.shell("log-dir:list state=cordoned").output()).contains(directory(2));
        assertThat(description(directory(2)).isCordoned()).isTrue();
        clients.create("after", 6, Map.of());
        assertThat(held(directory(2), "after")).isZero();
        assertThat(admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica("after", 0, NODE_ID), directory(2)))
                        .all())
                .failsWithin(DataClients.LIMIT)
                .withThrowableThat()
                .withCauseInstanceOf(InvalidReplicaAssignmentException.class);
        assertThat(clients.readAll("before", Map.of())).hasSize(6);

        configure("cordoned.log.dirs", "");
        clients.create("again", 6, Map.of());
        assertThat(held(directory(2), "again")).isPositive();
    }

    /** How many partitions of a topic are in a directory. */
    private static long held(String directory, String topic) throws Exception {
        return description(directory).replicaInfos().keySet().stream()
                .filter(partition -> partition.topic().equals(topic))
                .count();
    }

    @Test
    void aCompactedPartitionMovesAndIsCompactedThere() throws Exception {
        clients.create(
                "compacted",
                1,
                Map.of("cleanup.policy", "compact", "segment.ms", "100", "min.cleanable.dirty.ratio", "0.01"));
        int last = writeUntilCompacted("compacted", 0);
        String from = place("compacted");
        String to = elsewhere("compacted");

        move("compacted", to);
        assertThat(latest("compacted")).isEqualTo(Integer.toString(last));
        last = writeUntilCompacted("compacted", last);

        assertThat(latest("compacted")).isEqualTo(Integer.toString(last));
        assertThat(place("compacted")).isEqualTo(to);
        await().until(() -> Files.notExists(Path.of(from, "compacted-0")));
    }

    /** Writes growing numbers under one key until some that come after {@code last} are compacted away; the result is the last of them. */
    private static int writeUntilCompacted(String topic, int last) {
        int[] next = {last};
        await().atMost(DataClients.LIMIT).until(() -> {
            for (int i = 0; i < 20; i++) {
                write(topic, 0, "key", Integer.toString(++next[0]));
            }
            long left = clients.readAll(topic, Map.of()).stream()
                    .filter(record -> Integer.parseInt(record.value()) > last)
                    .count();
            return left < next[0] - last;
        });
        return next[0];
    }

    private static String latest(String topic) {
        List<ConsumerRecord<String, String>> all = clients.readAll(topic, Map.of());
        return all.get(all.size() - 1).value();
    }

    private static void write(String topic, int partition, String key, String value) throws Exception {
        writer.send(new ProducerRecord<>(topic, partition, key, value)).get();
    }

    private static void throttle(String rate) throws Exception {
        configure(THROTTLE, rate);
    }

    /** Sets a key of the broker, or with an empty value takes it away. */
    private static void configure(String key, String value) throws Exception {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(NODE_ID));
        AlterConfigOp.OpType type = value.isEmpty() ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET;
        admin.incrementalAlterConfigs(Map.of(broker, List.of(new AlterConfigOp(new ConfigEntry(key, value), type))))
                .all()
                .get();
    }

    private static void move(String topic, String directory) throws Exception {
        alter(topic, directory);
        await().atMost(DataClients.LIMIT).until(() -> place(topic).equals(directory));
    }

    private static void alter(String topic, String directory) throws Exception {
        admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica(topic, 0, NODE_ID), directory))
                .all()
                .get();
    }

    private static String elsewhere(String topic) throws Exception {
        return place(topic).equals(directory(0)) ? directory(1) : directory(0);
    }

    /** The directory that serves the only partition of a topic. */
    private static String place(String topic) throws Exception {
        for (int i = 0; i < 3; i++) {
            ReplicaInfo info = shown(topic, directory(i));
            if (info != null && !info.isFuture()) {
                return directory(i);
            }
        }
        return "";
    }

    private static ReplicaInfo shown(String topic, String directory) throws Exception {
        return description(directory).replicaInfos().get(new TopicPartition(topic, 0));
    }

    private static LogDirDescription description(String directory) throws Exception {
        return admin.describeLogDirs(List.of(NODE_ID))
                .allDescriptions()
                .get()
                .get(NODE_ID)
                .get(directory);
    }

    private static void assertAllThere(String topic, Load load) {
        List<Integer> values = new ArrayList<>();
        clients.readAll(topic, Map.of()).forEach(record -> values.add(Integer.parseInt(record.value())));
        assertThat(values).doesNotHaveDuplicates().isSorted().containsAll(load.acknowledged);
    }

    /** Numbers, one after the other, until told to end. */
    private static final class Load extends Thread {
        private final String topic;
        private final Map<String, Object> settings;
        private final ConcurrentLinkedQueue<Integer> acknowledged = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isOver = new AtomicBoolean();

        Load(String topic, Map<String, Object> settings) {
            super("load-" + topic);
            this.topic = topic;
            this.settings = settings;
        }

        @Override
        public void run() {
            try (KafkaProducer<String, String> producer = clients.producer(settings)) {
                for (int value = 0; !isOver.get(); value++) {
                    int sent = value;
                    producer.send(new ProducerRecord<>(topic, 0, null, Integer.toString(value)), (done, fault) -> {
                        if (fault == null) {
                            acknowledged.add(sent);
                        }
                    });
                    if (value % UNFLUSHED == 0) {
                        producer.flush();
                    }
                }
            }
        }

        void awaitMore(int count) {
            int before = acknowledged.size();
            await().atMost(DataClients.LIMIT)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> acknowledged.size() > before + count);
        }

        void end() throws InterruptedException {
            isOver.set(true);
            join();
        }
    }
}
