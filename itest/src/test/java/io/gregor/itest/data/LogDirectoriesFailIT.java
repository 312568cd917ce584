package io.gregor.itest.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirectoriesFailIT {
    private static final int NODE_ID = 1;
    private static final int TOPICS = 6;

    @TempDir
    Path home;

    @Test
    void whatIsElsewhereIsServedAndTheLastOneStopsTheNode() throws Exception {
        Path first = home.resolve("logs0");
        Path second = home.resolve("logs1");
        try (GregorProcess node = GregorProcess.start(
                home,
                "log.dirs=" + first + "," + second,
                "offsets.topic.num.partitions=1",
                "log.flush.offset.checkpoint.interval.ms=500")) {
            DataClients clients = new DataClients(node);
            fill(clients);
            try (Admin admin = clients.admin()) {
                List<String> inSecond = topicsIn(admin, second);
                List<String> inFirst = topicsIn(admin, first);
                assertThat(inSecond).isNotEmpty();
                assertThat(inFirst).isNotEmpty();

                breakDown(second);
                produce(clients, inFirst.get(0));
                await().atMost(DataClients.LIMIT).until(() -> isFailed(admin, second));
                await().atMost(DataClients.LIMIT).until(() -> leaderless(admin, inSecond));
                assertServed(clients, inFirst, 2);
                admin.createTopics(List.of(new NewTopic("later", 1, (short) 1)))
                        .all()
                        .get();
                await().until(() -> topicsIn(admin, first).contains("later"));

                node.stop();
                node.restart();
                assertThat(isFailed(admin, second)).isTrue();
                assertThat(leaderless(admin, inSecond)).isTrue();
                assertServed(clients, inFirst, 2);

                node.stop();
                repair(second);
                node.restart();
                await().atMost(DataClients.LIMIT).until(() -> !leaderless(admin, inSecond));
                assertServed(clients, inSecond, 1);
            }
            breakDown(first);
            assertThat(node.awaitExit()).isNotZero();
            assertThat(node.logText()).contains("log directory failed");
        }
    }

    private static void fill(DataClients clients) throws Exception {
        for (int i = 0; i < TOPICS; i++) {
            clients.create("topic" + i, 1, Map.of());
            produce(clients, "topic" + i);
        }
    }

    private static void produce(DataClients clients, String topic) throws Exception {
        try (KafkaProducer<String, String> producer = clients.producer(Map.of())) {
            producer.send(new ProducerRecord<>(topic, topic)).get();
        }
    }

    private static void assertServed(DataClients clients, List<String> topics, int inFirst) {
        assertThat(clients.readAll(topics.get(0), Map.of()))
                .extracting(ConsumerRecord::value)
                .hasSize(inFirst);
    }

    /** A file is where the directory was: every new file in it is an I/O error. */
    private static void breakDown(Path directory) throws IOException {
        Files.move(directory, directory.resolveSibling(directory.getFileName() + ".away"));
        Files.createFile(directory);
    }

    private static void repair(Path directory) throws IOException {
        Files.delete(directory);
        Files.move(directory.resolveSibling(directory.getFileName() + ".away"), directory);
    }

    private static LogDirDescription described(Admin admin, Path directory) throws Exception {
        return admin.describeLogDirs(List.of(NODE_ID))
                .allDescriptions()
                .get()
                .get(NODE_ID)
                .get(directory.toString());
    }

    private static boolean isFailed(Admin admin, Path directory) throws Exception {
        return described(admin, directory).error() instanceof KafkaStorageException;
    }

    private static List<String> topicsIn(Admin admin, Path directory) throws Exception {
        return described(admin, directory).replicaInfos().keySet().stream()
                .map(TopicPartition::topic)
                .filter(topic -> !topic.startsWith("__"))
                .sorted()
                .toList();
    }

    private static boolean leaderless(Admin admin, List<String> topics) throws Exception {
        try {
            return admin.describeTopics(topics).allTopicNames().get().values().stream()
                    .allMatch(topic -> topic.partitions().get(0).leader() == null
                            || topic.partitions().get(0).leader().isEmpty());
        } catch (ExecutionException notYet) {
            return false;
        }
    }
}
