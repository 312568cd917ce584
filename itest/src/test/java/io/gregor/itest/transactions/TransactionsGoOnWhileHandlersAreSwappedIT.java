package io.gregor.itest.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.data.DataClients;
import io.gregor.itest.plugins.RebuiltBundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bundles that serve transactions and records are replaced in the middle of transactions. */
class TransactionsGoOnWhileHandlersAreSwappedIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int PRODUCERS = 3;
    private static final String TOPIC = "swapped";

    @TempDir
    private Path home;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger committed = new AtomicInteger();

    @Test
    void noTransactionFailsAndNothingIsLost() throws Exception {
        try (GregorProcess node = GregorProcess.start(home, "transaction.state.log.num.partitions=3")) {
            DataClients clients = new DataClients(node);
            clients.create(TOPIC, 2, Map.of());
            List<CompletableFuture<Void>> producers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                String id = "producer-" + i;
                producers.add(Background.run(() -> transact(clients, id)));
            }
            for (String bundle : List.of("handlers-transactions", "handlers-data")) {
                awaitMore();
                RebuiltBundle.of(bundle, "io.gregor.itest." + bundle, 10)
                        .drop(home.resolve("deploy"), bundle + ".jar", "1.0.0");
                awaitServed(bundle, "io.gregor.itest." + bundle);
                awaitMore();
                Files.delete(home.resolve("deploy").resolve(bundle + ".jar"));
                awaitServed(bundle, "io.gregor." + bundle);
            }
            awaitMore();
            isOver.set(true);
            for (CompletableFuture<Void> producer : producers) {
                assertThat(producer).succeedsWithin(LIMIT);
            }

            List<ConsumerRecord<String, String>> read =
                    clients.readAll(TOPIC, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"));
            assertThat(read).hasSize(2 * committed.get());
        }
    }

    private void transact(DataClients clients, String id) {
        try (KafkaProducer<String, String> producer =
                clients.producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id))) {
            producer.initTransactions();
            while (!isOver.get()) {
                producer.beginTransaction();
                for (int partition = 0; partition < 2; partition++) {
                    var unused = producer.send(new ProducerRecord<>(TOPIC, partition, id, "value"));
                }
                producer.commitTransaction();
                committed.incrementAndGet();
            }
        }
    }

    private void awaitMore() {
        int before = committed.get();
        await().atMost(LIMIT).until(() -> committed.get() > before + 2 * PRODUCERS);
    }

    /** Waits until all that a bundle serves is served by the one with this symbolic name. */
    private void awaitServed(String bundle, String name) {
        String key = bundle.equals("handlers-data") ? "broker +0 .*" : "broker +26 .*";
        await().atMost(LIMIT).untilAsserted(() -> assertThat(
                        ShellSocket.call(home, "handler:list").output().lines())
                .filteredOn(line -> line.matches(key))
                .hasSize(1)
                .allMatch(line -> line.contains(name + " ")));
    }
}
