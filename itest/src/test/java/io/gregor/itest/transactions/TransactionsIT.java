package io.gregor.itest.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.data.DataClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions as Kafka's own clients and tools see them. */
class TransactionsIT {
    private static final Map<String, Object> COMMITTED =
            Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** For a consumer whose last Fetch still waits. */
    private static final CloseOptions AT_ONCE = CloseOptions.timeout(Duration.ZERO);

    @TempDir
    private static Path home;

    private static GregorProcess node;
    private static DataClients clients;

    @BeforeAll
    static void start() {
        node = GregorProcess.start(
                home,
                "transaction.state.log.num.partitions=3",
                "offsets.topic.num.partitions=3",
                "group.initial.rebalance.delay.ms=0",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms=200");
        clients = new DataClients(node);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static KafkaProducer<String, String> producer(String id, int timeoutMs) {
        KafkaProducer<String, String> producer = clients.producer(Map.of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG, id, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, timeoutMs));
        producer.initTransactions();
        return producer;
    }

    private static KafkaProducer<String, String> producer(String id) {
        return producer(id, 60_000);
    }

    private static void send(KafkaProducer<String, String> producer, String topic, String... values) throws Exception {
        for (String value : values) {
            producer.send(new ProducerRecord<>(topic, value)).get();
        }
    }

    private static List<String> values(String topic, Map<String, Object> settings) {
        return clients.readAll(topic, settings).stream()
                .map(ConsumerRecord::value)
                .toList();
    }

    @Test
    void whatIsCommittedIsReadAndWhatIsAbortedIsNot() throws Exception {
        clients.create("both", 1, Map.of());
        try (KafkaProducer<String, String> producer = producer("both")) {
            producer.beginTransaction();
            send(producer, "both", "a", "b");
            producer.commitTransaction();
            producer.beginTransaction();
            send(producer, "both", "c");
            producer.abortTransaction();
            producer.beginTransaction();
            send(producer, "both", "d");

            assertThat(values("both", COMMITTED)).containsExactly("a", "b");
            assertThat(values("both", Map.of())).containsExactly("a", "b", "c", "d");
            assertThat(end("both", IsolationLevel.READ_COMMITTED)).isEqualTo(5);
            assertThat(end("both", IsolationLevel.READ_UNCOMMITTED)).isEqualTo(6);

            producer.commitTransaction();
        }
        assertThat(values("both", COMMITTED)).containsExactly("a", "b", "d");
        assertThat(end("both", IsolationLevel.READ_COMMITTED)).isEqualTo(7);
    }

    private static long end(String topic, IsolationLevel isolation) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (Admin admin = clients.admin()) {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
                    .partitionResult(partition)
                    .get()
                    .offset();
        }
    }

    @Test
    void aReaderThatWaitsIsAnsweredWhenTheTransactionEnds() throws Exception {
        clients.create("waiting", 1, Map.of());
        try (KafkaProducer<String, String> producer = producer("waiting");
                KafkaConsumer<String, String> consumer = clients.consumer(Map.of(
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                        120_000,
                        ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        150_000))) {
            producer.beginTransaction();
            send(producer, "waiting", "a");
            consumer.assign(List.of(new TopicPartition("waiting", 0)));
            assertThat(consumer.poll(Duration.ofMillis(500))).isEmpty();

            producer.commitTransaction();

            assertThat(consumer.poll(LIMIT)).extracting(ConsumerRecord::value).containsExactly("a");
            consumer.close(AT_ONCE);
        }
    }

    @Test
    void offsetsAreCommittedWithTheTransactionAndZombiesAreFenced() throws Exception {
        clients.create("in", 1, Map.of());
        clients.create("out", 1, Map.of());
        TopicPartition in = new TopicPartition("in", 0);
        try (KafkaProducer<String, String> producer = clients.producer(Map.of())) {
            send(producer, "in", "1", "2", "3");
        }
        Map<String, Object> group = Map.of(
                ConsumerConfig.GROUP_ID_CONFIG,
                "transformers",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false);
        try (KafkaProducer<String, String> zombie = producer("transformer");
                KafkaConsumer<String, String> consumer = clients.consumer(group)) {
            consumer.subscribe(List.of("in"));
            ConsumerGroupMetadata member = transform(consumer, zombie);
            zombie.commitTransaction();
            assertThat(consumer.committed(Set.of(in)).get(in).offset()).isEqualTo(3);

            zombie.beginTransaction();
            send(zombie, "out", "from a zombie");
            zombie.sendOffsetsToTransaction(Map.of(in, new OffsetAndMetadata(99)), member);
            try (KafkaProducer<String, String> heir = producer("transformer")) {
                assertThatThrownBy(zombie::commitTransaction)
                        .isInstanceOfAny(ProducerFencedException.class, InvalidProducerEpochException.class);
                assertThat(consumer.committed(Set.of(in)).get(in).offset()).isEqualTo(3);
                heir.beginTransaction();
                send(heir, "out", "from its heir");
                heir.commitTransaction();
            }
        }
        assertThat(values("out", COMMITTED)).containsExactly("1!", "2!", "3!", "from its heir");
    }

    private static ConsumerGroupMetadata transform(
            KafkaConsumer<String, String> consumer, KafkaProducer<String, String> producer) throws Exception {
        List<ConsumerRecord<String, String>> taken = new ArrayList<>();
        await().atMost(LIMIT).until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(taken::add);
            return taken.size() == 3;
        });
        producer.beginTransaction();
        for (ConsumerRecord<String, String> one : taken) {
            send(producer, "out", one.value() + "!");
        }
        producer.sendOffsetsToTransaction(
                Map.of(new TopicPartition("in", 0), new OffsetAndMetadata(taken.size())), consumer.groupMetadata());
        return consumer.groupMetadata();
    }

    @Test
    void aTransactionThatTakesTooLongIsAborted() throws Exception {
        clients.create("late", 1, Map.of());
        try (KafkaProducer<String, String> producer = producer("late", 1_000);
                Admin admin = clients.admin()) {
            producer.beginTransaction();
            send(producer, "late", "a");

            await().atMost(LIMIT)
                    .until(() -> admin.describeTransactions(List.of("late"))
                                    .description("late")
                                    .get()
                                    .state()
                            == TransactionState.COMPLETE_ABORT);

            assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
            assertThat(values("late", COMMITTED)).isEmpty();
        }
    }

    @Test
    void anAdministratorSeesAndEndsATransactionThatHangs() throws Exception {
        clients.create("hanging", 1, Map.of());
        TopicPartition partition = new TopicPartition("hanging", 0);
        try (KafkaProducer<String, String> producer = producer("hanging");
                Admin admin = clients.admin()) {
            producer.beginTransaction();
            send(producer, "hanging", "a", "b");
            ProducerState state = producerState(admin, partition);
            assertThat(state.currentTransactionStartOffset()).hasValue(0);
            assertThat(state.lastSequence()).isEqualTo(1);

            admin.abortTransaction(new AbortTransactionSpec(
                            partition,
                            state.producerId(),
                            (short) state.producerEpoch(),
                            state.coordinatorEpoch().orElse(0)))
                    .all()
                    .get();

            assertThat(producerState(admin, partition).currentTransactionStartOffset())
                    .isEmpty();
            assertThat(values("hanging", COMMITTED)).isEmpty();
            assertThat(end("hanging", IsolationLevel.READ_COMMITTED)).isEqualTo(3);
        }
    }

    private static ProducerState producerState(Admin admin, TopicPartition partition) throws Exception {
        return admin.describeProducers(List.of(partition))
                .partitionResult(partition)
                .get()
                .activeProducers()
                .get(0);
    }

    @Test
    void manyTransactionsGoOnAtOnce() throws Exception {
        clients.create("many", 4, Map.of());
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int worker = 0; worker < 6; worker++) {
            String id = "many-" + worker;
            workers.add(Background.run(() -> {
                try (KafkaProducer<String, String> producer = producer(id)) {
                    for (int i = 0; i < 25; i++) {
                        producer.beginTransaction();
                        for (int partition = 0; partition < 4; partition++) {
                            var unused = producer.send(
                                    new ProducerRecord<>("many", partition, id, i % 5 == 0 ? "aborted" : "committed"));
                        }
                        if (i % 5 == 0) {
                            producer.flush();
                            producer.abortTransaction();
                        } else {
                            producer.commitTransaction();
                        }
                    }
                }
            }));
        }
        CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)).join();

        assertThat(values("many", COMMITTED)).hasSize(6 * 20 * 4).containsOnly("committed");
    }
}
