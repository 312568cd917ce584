package io.gregor.itest.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node with many partitions is killed in the middle of a mixed load and started again: nothing acknowledged is missing, and
 * producers, transactions and groups go on with the clients that they have. Prints the time to the first answer.
 */
class RestartWithManyPartitionsIT {
    private static final int TOPICS = 10;
    private static final int PARTITIONS = Integer.getInteger("gregor.it.partitions", 1_000) / TOPICS;
    private static final String PAIRS = "pairs";
    private static final int ENOUGH_RECORDS = 5_000;
    private static final int ENOUGH_PAIRS = 20;

    private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<Integer> committed = ConcurrentHashMap.newKeySet();
    private final Map<TopicPartition, Long> offsets = new ConcurrentHashMap<>();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicReference<Throwable> fault = new AtomicReference<>();

    @TempDir
    Path home;

    @Test
    void nothingAcknowledgedIsMissingAndAllGoOn() throws Exception {
        try (GregorProcess node = GregorProcess.start(
                home,
                "offsets.topic.num.partitions=10",
                "transaction.state.log.num.partitions=10",
                "group.initial.rebalance.delay.ms=0",
                "broker.heartbeat.interval.ms=500",
                "broker.session.timeout.ms=3000")) {
            DataClients clients = new DataClients(node);
            create(clients);
            List<Thread> load = List.of(
                    working("records", () -> produce(clients)),
                    working("pairs", () -> transact(clients)),
                    working("group", () -> consume(clients)));
            awaitMore(0, 0);

            node.kill();
            long killedNs = System.nanoTime();
            node.restart();
            System.out.println("ready after ms=" + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs)
                    + " partitions=" + TOPICS * PARTITIONS);

            awaitMore(acknowledged.size(), committed.size());
            Map<TopicPartition, Long> before = new HashMap<>(offsets);
            await().atMost(DataClients.LIMIT).until(() -> !offsets.equals(before));
            isOver.set(true);
            for (Thread one : load) {
                one.join(DataClients.LIMIT.toMillis());
            }
            assertThat(fault.get()).isNull();
            assertThatAllIsThere(clients);
        }
    }

    private static void create(DataClients clients) throws Exception {
        List<NewTopic> topics = new ArrayList<>();
        for (int i = 0; i < TOPICS; i++) {
            topics.add(new NewTopic("many-" + i, PARTITIONS, (short) 1));
        }
        topics.add(new NewTopic(PAIRS, 2, (short) 1));
        try (Admin admin = clients.admin()) {
            admin.createTopics(topics).all().get(DataClients.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void awaitMore(int records, int pairs) {
        await().atMost(DataClients.LIMIT)
                .failFast(() -> fault.get() != null)
                .until(() -> acknowledged.size() > records + ENOUGH_RECORDS
                        && committed.size() > pairs + ENOUGH_PAIRS
                        && !offsets.isEmpty());
    }

    private interface Step {
        void run() throws Exception;
    }

    private Thread working(String name, Step step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        step.run();
                    } catch (Exception | AssertionError failed) {
                        fault.compareAndSet(null, failed);
                    }
                },
                name);
        thread.start();
        return thread;
    }

    private void produce(DataClients clients) {
        try (KafkaProducer<String, String> producer =
                clients.producer(Map.of("acks", "all", "delivery.timeout.ms", 120_000))) {
            for (int value = 0; !isOver.get(); value++) {
                int sent = value;
                String topic = "many-" + value % TOPICS;
                int partition = value / TOPICS % PARTITIONS;
                producer.send(new ProducerRecord<>(topic, partition, null, Integer.toString(value)), (at, failed) -> {
                    if (failed == null) {
                        acknowledged.add(sent);
                    }
                });
            }
        }
    }

    /** Both records of a pair, or none. One whose end is not known is not counted, and may be there. */
    private void transact(DataClients clients) {
        int pair = 0;
        while (!isOver.get()) {
            try (KafkaProducer<String, String> producer =
                    clients.producer(Map.of("transactional.id", "pairs", "max.block.ms", 60_000))) {
                producer.initTransactions();
                while (!isOver.get()) {
                    String value = Integer.toString(pair++);
                    producer.beginTransaction();
                    producer.send(new ProducerRecord<>(PAIRS, 0, null, value));
                    producer.send(new ProducerRecord<>(PAIRS, 1, null, value));
                    producer.commitTransaction();
                    committed.add(pair - 1);
                }
            } catch (KafkaException retried) {
                // a new producer of the same id ends what this one has left
                System.out.println("pair=" + (pair - 1) + " is left: " + retried);
            }
        }
    }

    private void consume(DataClients clients) {
        Map<String, Object> settings =
                Map.of("group.id", "many", "group.protocol", "consumer", "enable.auto.commit", false);
        try (KafkaConsumer<String, String> consumer = clients.consumer(settings)) {
            consumer.subscribe(List.of("many-0", "many-1"));
            while (!isOver.get()) {
                if (consumer.poll(Duration.ofMillis(200)).isEmpty()) {
                    continue;
                }
                Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
                consumer.assignment()
                        .forEach(partition -> read.put(partition, new OffsetAndMetadata(consumer.position(partition))));
                try {
                    consumer.commitSync(read);
                    read.forEach((partition, offset) -> offsets.put(partition, offset.offset()));
                } catch (KafkaException notCommitted) {
                    System.out.println("offsets are not committed: " + notCommitted);
                }
            }
        }
    }

    private void assertThatAllIsThere(DataClients clients) throws Exception {
        Set<Integer> read = new HashSet<>();
        for (int i = 0; i < TOPICS; i++) {
            clients.readAll("many-" + i, Map.of()).forEach(record -> assertThat(read.add(value(record)))
                    .as("twice: " + record)
                    .isTrue());
        }
        assertThat(read).containsAll(acknowledged);

        Map<Integer, Set<Integer>> pairs = new HashMap<>();
        clients.readAll(PAIRS, Map.of("isolation.level", "read_committed"))
                .forEach(record -> assertThat(pairs.computeIfAbsent(record.partition(), key -> new HashSet<>())
                                .add(value(record)))
                        .as("twice: " + record)
                        .isTrue());
        assertThat(pairs.get(0)).isEqualTo(pairs.get(1)).containsAll(committed);

        try (Admin admin = clients.admin()) {
            Map<TopicPartition, OffsetAndMetadata> stored = admin.listConsumerGroupOffsets("many")
                    .partitionsToOffsetAndMetadata()
                    .get(DataClients.LIMIT.toSeconds(), TimeUnit.SECONDS);
            offsets.forEach(
                    (partition, offset) -> assertThat(stored.get(partition).offset())
                            .as(partition.toString())
                            .isGreaterThanOrEqualTo(offset));
        }
        System.out.println("acknowledged=" + acknowledged.size() + " committed pairs=" + committed.size());
    }

    private static int value(ConsumerRecord<String, String> record) {
        return Integer.parseInt(record.value());
    }
}
