package io.gregor.itest.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.NodeJmx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShareGroupIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static GregorProcess node;
    private static ShareClients clients;

    @BeforeAll
    static void start(@TempDir Path home) {
        node = GregorProcess.start(
                home,
                "group.share.heartbeat.interval.ms=300",
                "group.share.min.heartbeat.interval.ms=300",
                "group.share.delivery.count.limit=2",
                "group.share.record.lock.duration.ms=1000",
                "group.share.min.record.lock.duration.ms=1000",
                "share.coordinator.state.topic.num.partitions=2",
                "broker.heartbeat.interval.ms=500",
                "broker.session.timeout.ms=3000");
        clients = new ShareClients(node);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void releasedRecordComesAgainAndIsGoneAtTheLimit() throws Exception {
        clients.create("released", 4);
        try (KafkaShareConsumer<String, String> member = clients.member("released", "explicit")) {
            List<ConsumerRecord<String, String>> first = ShareClients.some(member);
            first.forEach(record -> member.acknowledge(
                    record,
                    switch (record.value()) {
                        case "1" -> AcknowledgeType.RELEASE;
                        case "2" -> AcknowledgeType.REJECT;
                        default -> AcknowledgeType.ACCEPT;
                    }));
            assertThat(ShareClients.deliveries(first)).containsExactly("0x1", "1x1", "2x1", "3x1");
            assertThat(member.commitSync())
                    .allSatisfy((partition, fault) -> assertThat(fault).isEmpty());

            List<ConsumerRecord<String, String>> second = ShareClients.some(member);
            assertThat(ShareClients.deliveries(second)).containsExactly("1x2");
            second.forEach(record -> member.acknowledge(record, AcknowledgeType.RELEASE));
            member.commitSync();
        }
        assertDone("released");
    }

    @Test
    void recordComesAgainWhenTheTimeOfItsHolderIsOver() throws Exception {
        clients.create("timed-out", 1);
        try (KafkaShareConsumer<String, String> holder = clients.member("timed-out", "explicit");
                KafkaShareConsumer<String, String> other = clients.member("timed-out", "implicit")) {
            assertThat(ShareClients.deliveries(ShareClients.some(holder))).containsExactly("0x1");

            assertThat(ShareClients.deliveries(ShareClients.some(other))).containsExactly("0x2");
        }
    }

    @Test
    void membersShareOnePartition() throws Exception {
        clients.create("shared", 50);
        Set<String> seen = new HashSet<>();
        try (KafkaShareConsumer<String, String> one = clients.member("shared", "implicit");
                KafkaShareConsumer<String, String> two = clients.member("shared", "implicit")) {
            ShareClients.some(one).forEach(record -> seen.add(record.value()));
            one.commitSync();
            clients.produce("shared", 50, 60);
            List<ConsumerRecord<String, String>> more = ShareClients.some(two);

            more.forEach(record -> assertThat(seen.add(record.value())).isTrue());
            assertThat(seen).hasSize(60);
        }
    }

    @Test
    void groupGoesOnWhereTheLogStartsNow() throws Exception {
        clients.create("moved", 10);
        try (Admin admin = clients.admin()) {
            admin.deleteRecords(Map.of(new TopicPartition("moved", 0), RecordsToDelete.beforeOffset(7)))
                    .all()
                    .get();
        }
        try (KafkaShareConsumer<String, String> member = clients.member("moved", "implicit")) {
            assertThat(ShareClients.deliveries(ShareClients.some(member))).containsExactly("7x1", "8x1", "9x1");
        }
    }

    @Test
    void recordsOfAbortedTransactionsAreNotForGroupsThatReadCommittedOnes() throws Exception {
        clients.create("committed", 0);
        clients.create("uncommitted", 0);
        clients.set("committed", "share.isolation.level", "read_committed");
        for (String topic : List.of("committed", "uncommitted")) {
            clients.transact(topic, 0, 3, false);
            clients.transact(topic, 3, 5, true);
            clients.transact(topic, 5, 7, false);
        }
        try (KafkaShareConsumer<String, String> committed = clients.member("committed", "implicit");
                KafkaShareConsumer<String, String> uncommitted = clients.member("uncommitted", "implicit")) {
            assertThat(ShareClients.deliveries(ShareClients.some(committed, 2))).containsExactly("3x1", "4x1");
            assertThat(ShareClients.some(uncommitted, 7)).hasSize(7);
            awaitDone("committed", committed);
            awaitDone("uncommitted", uncommitted);

            clients.transact("committed", 7, 9, false);
            clients.transact("uncommitted", 7, 9, false);
            assertThat(ShareClients.some(uncommitted, 2)).hasSize(2);
            awaitDone("committed", committed);
            awaitDone("uncommitted", uncommitted);
        }
    }

    @Test
    void rejectedRecordsAreKeptInTheTopicOfDeadLetters() throws Exception {
        try (Admin admin = clients.admin()) {
            setShareVersion(admin, 2, FeatureUpdate.UpgradeType.UPGRADE);
            NewTopic deadLetters = new NewTopic("dlq.rejected", 1, (short) 1)
                    .configs(Map.of("errors.deadletterqueue.group.enable", "true"));
            admin.createTopics(List.of(deadLetters)).all().get();
        }
        clients.create("rejected", 2);
        clients.set("rejected", "errors.deadletterqueue.topic.name", "dlq.rejected");
        clients.set("rejected", "errors.deadletterqueue.copy.record.enable", "true");
        clients.set("dlq.rejected", "share.auto.offset.reset", "earliest");
        try (KafkaShareConsumer<String, String> member = clients.member("rejected", "explicit");
                KafkaShareConsumer<String, String> undertaker = clients.member("dlq.rejected", "implicit")) {
            ShareClients.some(member, 2)
                    .forEach(record -> member.acknowledge(
                            record, record.value().equals("0") ? AcknowledgeType.REJECT : AcknowledgeType.ACCEPT));
            member.commitSync();

            assertThat(ShareClients.some(undertaker)).singleElement().satisfies(record -> assertThat(record.value())
                    .isEqualTo("0"));
            awaitDone("rejected", member);
        }
    }

    @Test
    void whatMembersHaveIsFreeWhenTheClusterServesShareGroupsNoMore() throws Exception {
        clients.create("turnedoff", 3);
        KafkaShareConsumer<String, String> member = clients.member("turnedoff", "explicit");
        try (Admin admin = clients.admin();
                NodeJmx jmx = NodeJmx.attach(node)) {
            assertThat(ShareClients.some(member, 3)).hasSize(3);
            assertThat(sessions(jmx)).isPositive();

            setShareVersion(admin, 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
            await().atMost(LIMIT).until(() -> sessions(jmx) == 0);
            setShareVersion(admin, 1, FeatureUpdate.UpgradeType.UPGRADE);

            try (KafkaShareConsumer<String, String> next = clients.member("turnedoff", "implicit")) {
                assertThat(ShareClients.some(next, 3)).hasSize(3);
            }
        } finally {
            // fails if the member's heartbeat came while it was refused
            Utils.closeQuietly(member, "member");
        }
    }

    private static double sessions(NodeJmx jmx) throws Exception {
        return jmx.number("kafka.server:type=ShareSessionCache,name=ShareSessionsCount", "Value");
    }

    private static void setShareVersion(Admin admin, int level, FeatureUpdate.UpgradeType direction) throws Exception {
        admin.updateFeatures(
                        Map.of("share.version", new FeatureUpdate((short) level, direction)),
                        new UpdateFeaturesOptions())
                .all()
                .get();
    }

    @Test
    void acknowledgedRecordsStayAcknowledgedAfterKill() throws Exception {
        clients.create("killed", 6);
        KafkaShareConsumer<String, String> member = clients.member("killed", "explicit");
        List<ConsumerRecord<String, String>> first = ShareClients.some(member);
        first.subList(0, 4).forEach(member::acknowledge);
        first.subList(4, 6).forEach(record -> member.acknowledge(record, AcknowledgeType.RELEASE));
        assertThat(member.commitSync())
                .allSatisfy((partition, fault) -> assertThat(fault).isEmpty());

        node.kill();
        node.restart();

        assertThat(ShareClients.deliveries(ShareClients.some(member))).containsExactly("4x2", "5x2");
        member.close();
    }

    /** The markers of a transaction come after its records: a member that goes on polling has done with them too. */
    private static void awaitDone(String group, KafkaShareConsumer<String, String> member) {
        await().pollInSameThread().atMost(LIMIT).untilAsserted(() -> {
            assertThat(member.poll(Duration.ofMillis(200))).isEmpty();
            assertDone(group);
        });
    }

    private static void assertDone(String group) throws Exception {
        try (Admin admin = clients.admin()) {
            assertThat(ShareClients.lag(admin, group)).isZero();
        }
    }
}
