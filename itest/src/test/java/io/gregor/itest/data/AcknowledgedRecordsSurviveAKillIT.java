package io.gregor.itest.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcknowledgedRecordsSurviveAKillIT {
    private static final int PARTITIONS = 3;
    private static final int BEFORE_KILL = 20_000;

    @TempDir
    Path home;

    @Test
    void everyAcknowledgedRecordIsThereOnceAndInOrder() throws Exception {
        try (GregorProcess node = GregorProcess.start(home)) {
            DataClients clients = new DataClients(node);
            clients.create("load", PARTITIONS, Map.of());
            Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
            AtomicBoolean isOver = new AtomicBoolean();
            try (KafkaProducer<String, String> producer = clients.producer(
                    Map.of(ProducerConfig.ACKS_CONFIG, "all", ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 120_000))) {
                Thread load = new Thread(() -> produce(producer, acknowledged, isOver), "load");
                load.start();
                await().atMost(DataClients.LIMIT).until(() -> acknowledged.size() > BEFORE_KILL);

                node.kill();
                node.restart();

                int atRestart = acknowledged.size();
                await().atMost(DataClients.LIMIT).until(() -> acknowledged.size() > atRestart + BEFORE_KILL);
                isOver.set(true);
                load.join();
            }

            assertThereOnceAndInOrder(clients.readAll("load", Map.of()), acknowledged);
        }
    }

    private static void produce(
            KafkaProducer<String, String> producer, Set<Integer> acknowledged, AtomicBoolean isOver) {
        for (int value = 0; !isOver.get(); value++) {
            int sent = value;
            producer.send(
                    new ProducerRecord<>("load", value % PARTITIONS, null, Integer.toString(value)),
                    (metadata, fault) -> {
                        if (fault == null) {
                            acknowledged.add(sent);
                        }
                    });
        }
        producer.flush();
    }

    private static void assertThereOnceAndInOrder(
            List<ConsumerRecord<String, String>> records, Set<Integer> acknowledged) {
        Map<Integer, Integer> last = new HashMap<>();
        Set<Integer> read = new HashSet<>();
        for (ConsumerRecord<String, String> record : records) {
            int value = Integer.parseInt(record.value());
            assertThat(last.getOrDefault(record.partition(), -1))
                    .as("record before offset %d of partition %d", record.offset(), record.partition())
                    .isLessThan(value);
            last.put(record.partition(), value);
            read.add(value);
        }
        Set<Integer> missing = new HashSet<>(acknowledged);
        missing.removeAll(read);
        assertThat(missing).as("acknowledged and not there").isEmpty();
    }
}
