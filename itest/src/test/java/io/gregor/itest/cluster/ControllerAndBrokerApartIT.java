package io.gregor.itest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerAndBrokerApartIT {
    @TempDir
    Path directory;

    @Test
    void formAClusterThatOutlivesRestartsOfEither() throws Exception {
        try (NodesOfOneCluster nodes = NodesOfOneCluster.withVoters(directory, 1)) {
            GregorProcess controller = nodes.controller(1);
            GregorProcess broker = nodes.broker(2);
            broker.awaitReady();

            try (Admin admin = nodes.admin()) {
                create(admin, "before");
                write(nodes.client(), "before", 100);

                controller.stop();
                write(nodes.client(), "before", 100);
                controller.launchAgain();
                create(admin, "after");
            }
            broker.stop();
            broker.restart();

            assertThat(read(nodes.client(), "before", 200)).hasSize(200);
            write(nodes.client(), "after", 1);
            assertThat(controller.logText() + broker.logText()).doesNotContain("] ERROR ");
        }
    }

    private static void create(Admin admin, String name) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
    }

    private static void write(Properties client, String topic, int records) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
            for (int i = 1; i < records; i++) {
                producer.send(new ProducerRecord<>(topic, "value"));
            }
            producer.send(new ProducerRecord<>(topic, "value")).get();
        }
    }

    private static Set<Long> read(Properties client, String topic, int records) {
        Set<Long> offsets = new HashSet<>();
        long deadlineNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            consumer.seekToBeginning(consumer.assignment());
            while (offsets.size() < records && System.nanoTime() < deadlineNs) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> offsets.add(record.offset()));
            }
        }
        return offsets;
    }
}
