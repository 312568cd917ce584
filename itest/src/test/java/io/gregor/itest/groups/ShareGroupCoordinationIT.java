package io.gregor.itest.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ShareGroupDescription;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What administrators see and do of share groups; what members get is in the folder share. */
class ShareGroupCoordinationIT {
    private static GregorProcess node;
    private static GroupClients clients;

    @BeforeAll
    static void start(@TempDir Path home) {
        node = GregorProcess.start(
                home, "group.share.min.heartbeat.interval.ms=500", "group.share.heartbeat.interval.ms=1000");
        clients = new GroupClients(node);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void groupIsDescribedMovedForgottenAndDeleted() throws Exception {
        String topic = "shared";
        String group = "sharers";
        TopicPartition partition = new TopicPartition(topic, 0);
        clients.create(topic, 1);
        clients.produce(topic, 0, 10);
        try (Admin admin = clients.admin()) {
            set(admin, group, "share.auto.offset.reset", "earliest");
            try (KafkaShareConsumer<String, String> member = clients.sharer(group)) {
                member.subscribe(List.of(topic));
                assertThat(GroupClients.readShared(member, 10)).hasSize(10);

                ShareGroupDescription described = describe(admin, group);
                assertThat(described.groupState()).isEqualTo(GroupState.STABLE);
                assertThat(described.members()).singleElement().satisfies(one -> assertThat(
                                one.assignment().topicPartitions())
                        .containsExactly(partition));
                assertThatThrownBy(() -> admin.alterShareGroupOffsets(group, Map.of(partition, 4L))
                                .all()
                                .get())
                        .hasCauseInstanceOf(GroupNotEmptyException.class);
            }
            assertThat(describe(admin, group).groupState()).isEqualTo(GroupState.EMPTY);

            admin.alterShareGroupOffsets(group, Map.of(partition, 4L)).all().get();
            assertThat(offsets(admin, group)).hasEntrySatisfying(partition, start -> {
                assertThat(start.startOffset()).isEqualTo(4);
                assertThat(start.lag()).hasValue(6L);
            });

            admin.deleteShareGroupOffsets(group, Set.of(topic)).all().get();
            assertThat(offsets(admin, group)).isEmpty();

            admin.deleteShareGroups(List.of(group)).all().get();
            assertThat(admin.listGroups().all().get())
                    .extracting(GroupListing::groupId)
                    .doesNotContain(group);
            assertThatThrownBy(() -> describe(admin, group)).hasCauseInstanceOf(GroupIdNotFoundException.class);
        }
    }

    @Test
    void changedSettingOfTheGroupTakesEffect() throws Exception {
        String topic = "late";
        String group = "latecomers";
        clients.create(topic, 1);
        clients.produce(topic, 0, 5);
        try (Admin admin = clients.admin()) {
            assertThatThrownBy(() -> set(admin, group, "share.session.timeout.ms", "1"))
                    .hasCauseInstanceOf(InvalidConfigurationException.class);
            set(admin, group, "share.auto.offset.reset", "latest");
            try (KafkaShareConsumer<String, String> member = clients.sharer(group)) {
                member.subscribe(List.of(topic));
                AtomicInteger next = new AtomicInteger(5);
                List<String> read = new ArrayList<>();
                await().atMost(GroupClients.LIMIT).until(() -> {
                    clients.produce(topic, next.get(), next.incrementAndGet());
                    member.poll(Duration.ofMillis(500)).forEach(record -> read.add(record.value()));
                    return !read.isEmpty();
                });

                assertThat(read).doesNotContain("0", "1", "2", "3", "4");
            }
        }
    }

    @Test
    void stateOfAGroupOutlivesACrash() throws Exception {
        String topic = "durable";
        String group = "survivors";
        TopicPartition partition = new TopicPartition(topic, 0);
        clients.create(topic, 1);
        clients.produce(topic, 0, 6);
        try (Admin admin = clients.admin()) {
            set(admin, group, "share.auto.offset.reset", "earliest");
            try (KafkaShareConsumer<String, String> member = clients.sharer(group)) {
                member.subscribe(List.of(topic));
                GroupClients.readShared(member, 6);
            }
            admin.alterShareGroupOffsets(group, Map.of(partition, 2L)).all().get();
        }
        node.kill();
        node.restart();
        try (Admin admin = clients.admin()) {
            assertThat(offsets(admin, group).get(partition).startOffset()).isEqualTo(2);
            assertThat(admin.listGroups().all().get()).anySatisfy(listed -> {
                assertThat(listed.groupId()).isEqualTo(group);
                assertThat(listed.type()).contains(GroupType.SHARE);
            });
            try (KafkaShareConsumer<String, String> member = clients.sharer(group)) {
                member.subscribe(List.of(topic));
                assertThat(GroupClients.readShared(member, 4)).containsExactly(2, 3, 4, 5);
            }
        }
    }

    private static void set(Admin admin, String group, String key, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.GROUP, group),
                        List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private static ShareGroupDescription describe(Admin admin, String group)
            throws ExecutionException, InterruptedException {
        return admin.describeShareGroups(List.of(group)).all().get().get(group);
    }

    private static Map<TopicPartition, SharePartitionOffsetInfo> offsets(Admin admin, String group)
            throws ExecutionException, InterruptedException {
        return admin.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(group)
                .get();
    }
}
