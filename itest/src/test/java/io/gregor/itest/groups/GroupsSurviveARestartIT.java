package io.gregor.itest.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupsSurviveARestartIT {
    private static final String TOPIC = "kept";

    @TempDir
    Path home;

    @Test
    void committedOffsetsOfBothProtocolsAreThereAfterKillAndAfterStop() throws Exception {
        try (GregorProcess node = GregorProcess.start(home, "group.initial.rebalance.delay.ms=0")) {
            GroupClients clients = new GroupClients(node);
            clients.create(TOPIC, 1);
            clients.produce(TOPIC, 0, 20);
            readAndCommit(clients, "classic", 20);
            readAndCommit(clients, "consumer", 20);

            node.kill();
            node.restart();
            assertCommitted(clients, 20);

            clients.produce(TOPIC, 20, 30);
            readAndCommit(clients, "classic", 10);
            readAndCommit(clients, "consumer", 10);
            node.stop();
            node.restart();
            assertCommitted(clients, 30);
        }
    }

    private static void readAndCommit(GroupClients clients, String protocol, int count) {
        try (KafkaConsumer<String, String> consumer = clients.consumer(protocol, protocol)) {
            consumer.subscribe(List.of(TOPIC));
            GroupClients.read(consumer, count);
            consumer.commitSync();
        }
    }

    private static void assertCommitted(GroupClients clients, long offset) throws Exception {
        try (Admin admin = clients.admin()) {
            for (String group : List.of("classic", "consumer")) {
                Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata()
                        .get();

                assertThat(committed.get(new TopicPartition(TOPIC, 0)).offset()).isEqualTo(offset);
            }
        }
    }
}
