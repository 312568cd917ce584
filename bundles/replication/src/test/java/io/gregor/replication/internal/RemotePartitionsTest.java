package io.gregor.replication.internal;

import static io.gregor.replication.internal.TestBroker.change;
import static io.gregor.replication.internal.TestBroker.noTopic;
import static io.gregor.replication.internal.TestBroker.partition;
import static io.gregor.replication.internal.TestBroker.records;
import static io.gregor.replication.internal.TestBroker.setting;
import static io.gregor.replication.internal.TestBroker.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemotePartitionsTest {
    private static final Map<String, String> TIERED =
            Map.of("remote.storage.enable", "true", "local.retention.ms", "1");
    private static final TopicIdPartition PARTITION = new TopicIdPartition(Uuid.randomUuid(), 0, "t");
    private static final TopicIdPartition SUCCESSOR = new TopicIdPartition(Uuid.randomUuid(), 0, "t");
    private static final TopicIdPartition OTHER = new TopicIdPartition(Uuid.randomUuid(), 0, "other");

    @TempDir
    Path home;

    private final CountDownLatch held = new CountDownLatch(1);
    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new TestBroker(
                home,
                1,
                Map.of("remote.log.storage.system.enable", "true", "remote.log.manager.task.interval.ms", "20"),
                tiered(PARTITION));
    }

    @AfterEach
    void stop() {
        held.countDown();
        broker.close();
    }

    private static ApiMessage[] tiered(TopicIdPartition partition) {
        return new ApiMessage[] {
            topic(partition),
            setting(partition, "remote.storage.enable", "true"),
            setting(partition, "local.retention.ms", "1"),
            partition(partition, List.of(1), List.of(1))
        };
    }

    private long remoteSegments(TopicIdPartition partition) {
        return broker.remote().segments.count(partition.topicPartition());
    }

    private void holdDeletions() {
        broker.remote().segments.beforeDeletion = partition -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new RemoteStorageException(e);
            }
        };
    }

    @Test
    void segmentsOfALedPartitionAreCopied() {
        broker.tier(PARTITION, "a", "b");

        assertThat(remoteSegments(PARTITION)).isEqualTo(2);
        assertThat(broker.remote().metadata.told).containsExactly("leads t-0");
    }

    @Test
    void aDeletedTopicTakesItsRemoteSegmentsAlong() {
        broker.tier(PARTITION, "a", "b");

        broker.apply(noTopic(PARTITION));

        await().until(() -> remoteSegments(PARTITION) == 0);
        await().untilAsserted(
                        () -> assertThat(broker.remote().metadata.told).containsExactly("leads t-0", "stops t-0"));
    }

    @Test
    void metadataDoesNotWaitForDeletionsAndWhatComesAfterThemIsToldInOrder() {
        broker.tier(PARTITION, "a");
        holdDeletions();

        broker.apply(noTopic(PARTITION));
        broker.apply(tiered(SUCCESSOR));

        assertThat(broker.remote().metadata.told).containsExactly("leads t-0");
        assertThat(remoteSegments(PARTITION)).isEqualTo(1);
        held.countDown();
        await().untilAsserted(() ->
                assertThat(broker.remote().metadata.told).containsExactly("leads t-0", "stops t-0", "leads t-0"));
        broker.tier(SUCCESSOR, "b", "c");
        assertThat(remoteSegments(SUCCESSOR)).isEqualTo(2);
    }

    @Test
    void aDeletionThatFailsDoesNotKeepWhatComesAfterIt() {
        broker.tier(PARTITION, "a");
        broker.remote().segments.beforeDeletion = partition -> {
            throw new RemoteStorageException("broken");
        };

        broker.apply(noTopic(PARTITION));
        broker.apply(tiered(OTHER));

        await().untilAsserted(() ->
                assertThat(broker.remote().metadata.told).containsExactly("leads t-0", "stops t-0", "leads other-0"));
    }

    @Test
    void aReplicaThatMovesAwayLeavesTheRemoteSegments() {
        broker.tier(PARTITION, "a");

        broker.apply(change(PARTITION)
                .setReplicas(List.of(2))
                .setDirectories(List.of(Uuid.ZERO_UUID))
                .setIsr(List.of(2))
                .setLeader(2));

        assertThat(broker.remote().metadata.told).containsExactly("leads t-0", "stops t-0");
        assertThat(remoteSegments(PARTITION)).isEqualTo(1);
    }

    @Test
    void copyingStopsAndGoesOnWithTheTopicsSetting() {
        broker.tier(PARTITION, "a");
        broker.configure(
                PARTITION,
                Map.of(
                        "remote.storage.enable", "true",
                        "local.retention.ms", "-2",
                        "local.retention.bytes", "-2",
                        "remote.log.copy.disable", "true"));
        broker.fillSegment(PARTITION, "b");
        await().during(Duration.ofMillis(100)).until(() -> remoteSegments(PARTITION) == 1);

        broker.configure(PARTITION, TIERED);

        await().until(() -> remoteSegments(PARTITION) == 2);
    }

    @Test
    void aTopicThatIsNoLongerTieredBeginsWhereItsLocalPartDoes() {
        broker.tier(PARTITION, "a", "b");

        broker.configure(PARTITION, Map.of("remote.storage.enable", "false", "remote.log.delete.on.disable", "true"));

        assertThat(broker.log(PARTITION).logStartOffset()).isEqualTo(2);
        await().until(() -> remoteSegments(PARTITION) == 0);
    }

    @Test
    void aTopicIsTieredWhileItLives() {
        broker.apply(topic(OTHER), partition(OTHER, List.of(1), List.of(1)));
        broker.produce((short) 1, OTHER, records("a"));

        broker.configure(OTHER, TIERED);
        broker.tier(OTHER, "b");

        assertThat(remoteSegments(OTHER)).isEqualTo(1);
    }

    @Test
    void aPluginThatFailsDoesNotKeepPartitionsFromBeingServed() {
        broker.remote().metadata.beforeLeadership = partition -> {
            throw new IllegalStateException("broken");
        };

        broker.apply(tiered(OTHER));

        assertThat(broker.produce((short) 1, OTHER, records("a")).get(0).baseOffset)
                .isZero();
        broker.remote().metadata.beforeLeadership = partition -> {};
        broker.apply(change(OTHER).setLeader(1));
        broker.tier(OTHER, "b");
        assertThat(remoteSegments(OTHER)).isEqualTo(1);
    }

    @Test
    void aStopEndsADeletionThatHangs() {
        broker.tier(PARTITION, "a");
        holdDeletions();
        broker.apply(noTopic(PARTITION));

        broker.replicas.close();

        assertThat(remoteSegments(PARTITION)).isEqualTo(1);
    }
}
