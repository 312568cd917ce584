package io.gregor.itest.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CreateTopicThenProduceIT {
    private static final int ROUNDS = Integer.getInteger("gregor.it.rounds", 30);
    private static final int RECORDS = 1000;

    @TempDir
    Path home;

    @Test
    void idempotentProducerAtOnceAfterCreateTopicsLosesNothingAndMeetsNoError() throws Exception {
        try (GregorProcess node = GregorProcess.start(home)) {
            GroupClients clients = new GroupClients(node);
            try (Admin admin = clients.admin()) {
                for (int round = 0; round < ROUNDS; round++) {
                    String topic = "round-" + round;
                    admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1)))
                            .all()
                            .get();

                    assertAllWritten(clients, admin, topic, 2);
                }
            }
            assertThat(node.logText()).doesNotContain(" ERROR ");
        }
    }

    @Test
    void newPartitionIsWrittenAtOnceAfterCreatePartitions() throws Exception {
        try (GregorProcess node = GregorProcess.start(home)) {
            GroupClients clients = new GroupClients(node);
            try (Admin admin = clients.admin()) {
                clients.create("growing", 1);
                for (int count = 2; count < 12; count++) {
                    admin.createPartitions(Map.of("growing", NewPartitions.increaseTo(count)))
                            .all()
                            .get();

                    try (KafkaProducer<String, String> producer = clients.producer()) {
                        RecordMetadata written = producer.send(new ProducerRecord<>("growing", count - 1, "k", "v"))
                                .get(GroupClients.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
                        assertThat(written.offset()).isZero();
                    }
                }
            }
        }
    }

    private static void assertAllWritten(GroupClients clients, Admin admin, String topic, int partitions)
            throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = clients.producer()) {
            for (int record = 0; record < RECORDS; record++) {
                sent.add(producer.send(new ProducerRecord<>(topic, "k" + record, "v" + record)));
            }
            for (Future<RecordMetadata> record : sent) {
                record.get(GroupClients.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            }
            assertThat(total(producer, "record-error-total"))
                    .as("errors in " + topic)
                    .isZero();
            assertThat(total(producer, "record-retry-total"))
                    .as("retries in " + topic)
                    .isZero();
        }
        long written = 0;
        for (int partition = 0; partition < partitions; partition++) {
            written += GroupClients.end(admin, topic, partition);
        }
        assertThat(written).isEqualTo(RECORDS);
    }

    private static double total(KafkaProducer<String, String> producer, String metric) {
        return producer.metrics().entrySet().stream()
                .filter(entry -> entry.getKey().group().equals("producer-metrics"))
                .filter(entry -> entry.getKey().name().equals(metric))
                .mapToDouble(entry -> (double) entry.getValue().metricValue())
                .sum();
    }
}
