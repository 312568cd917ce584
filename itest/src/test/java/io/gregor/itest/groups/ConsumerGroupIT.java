package io.gregor.itest.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsumerGroupIT {
    private static GregorProcess node;
    private static GroupClients clients;

    @BeforeAll
    static void start(@TempDir Path home) {
        node = GregorProcess.start(home, "group.initial.rebalance.delay.ms=0");
        clients = new GroupClients(node);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void nextMemberGoesOnWhereTheLastOneHasCommitted(String protocol) throws Exception {
        String topic = "goes-on-" + protocol;
        clients.create(topic, 3);
        clients.produce(topic, 0, 50);
        try (KafkaConsumer<String, String> first = clients.consumer(protocol, topic)) {
            first.subscribe(List.of(topic));
            assertThat(GroupClients.read(first, 50)).containsExactlyInAnyOrderElementsOf(numbers(0, 50));
            first.commitSync();
        }
        clients.produce(topic, 50, 80);

        try (KafkaConsumer<String, String> second = clients.consumer(protocol, topic)) {
            second.subscribe(List.of(topic));

            assertThat(GroupClients.read(second, 30)).containsExactlyInAnyOrderElementsOf(numbers(50, 80));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void membersShareThePartitionsAndTakeOverFromOneThatLeaves(String protocol) throws Exception {
        String topic = "shared-" + protocol;
        clients.create(topic, 4);
        KafkaConsumer<String, String> leaving = clients.consumer(protocol, topic);
        try (KafkaConsumer<String, String> staying = clients.consumer(protocol, topic)) {
            staying.subscribe(List.of(topic));
            leaving.subscribe(List.of(topic));
            await().atMost(GroupClients.LIMIT).until(() -> {
                staying.poll(Duration.ofMillis(50));
                leaving.poll(Duration.ofMillis(50));
                return staying.assignment().size() == 2 && leaving.assignment().size() == 2;
            });

            leaving.close();

            await().atMost(GroupClients.LIMIT).until(() -> {
                staying.poll(Duration.ofMillis(50));
                return staying.assignment().size() == 4;
            });
        }
    }

    @Test
    void topicsAreMatchedWithARegexByTheCoordinator() throws Exception {
        clients.create("regex-one", 1);
        clients.create("other-regex", 1);
        clients.produce("regex-one", 0, 5);
        try (KafkaConsumer<String, String> consumer = clients.consumer("consumer", "regex")) {
            consumer.subscribe(new SubscriptionPattern("regex-.*"));

            assertThat(GroupClients.read(consumer, 5)).containsExactlyElementsOf(numbers(0, 5));
            assertThat(consumer.assignment()).containsExactly(new TopicPartition("regex-one", 0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void groupIsListedDescribedAndDeleted(String protocol) throws Exception {
        String topic = "administered-" + protocol;
        TopicPartition partition = new TopicPartition(topic, 0);
        clients.create(topic, 1);
        clients.produce(topic, 0, 5);
        try (Admin admin = clients.admin()) {
            try (KafkaConsumer<String, String> member = clients.consumer(protocol, topic)) {
                member.subscribe(List.of(topic));
                GroupClients.read(member, 5);
                member.commitSync();

                ConsumerGroupDescription described = admin.describeConsumerGroups(List.of(topic))
                        .describedGroups()
                        .get(topic)
                        .get();

                assertThat(described.groupState()).isEqualTo(GroupState.STABLE);
                assertThat(described.members()).singleElement().satisfies(one -> assertThat(
                                one.assignment().topicPartitions())
                        .isEqualTo(Set.of(partition)));
                assertThat(admin.listGroups().all().get())
                        .extracting(GroupListing::groupId)
                        .contains(topic);
            }
            assertThat(committed(admin, topic)).containsOnlyKeys(partition);

            admin.deleteConsumerGroupOffsets(topic, Set.of(partition)).all().get();
            assertThat(committed(admin, topic)).isEmpty();
            admin.deleteConsumerGroups(List.of(topic)).all().get();
            assertThat(admin.listGroups().all().get())
                    .extracting(GroupListing::groupId)
                    .doesNotContain(topic);
        }
    }

    private static Map<TopicPartition, OffsetAndMetadata> committed(Admin admin, String group) throws Exception {
        return admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
