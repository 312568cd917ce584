package io.gregor.replication.internal;

import static io.gregor.replication.internal.TestBroker.change;
import static io.gregor.replication.internal.TestBroker.from;
import static io.gregor.replication.internal.TestBroker.idempotent;
import static io.gregor.replication.internal.TestBroker.noTopic;
import static io.gregor.replication.internal.TestBroker.partition;
import static io.gregor.replication.internal.TestBroker.records;
import static io.gregor.replication.internal.TestBroker.setting;
import static io.gregor.replication.internal.TestBroker.topic;
import static io.gregor.replication.internal.TestBroker.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.internal.replication.LogDirMoves.Move;
import io.gregor.replication.internal.TestBroker.ControllerRequest;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.AssignReplicasToDirsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AssignReplicasToDirsRequest;
import org.apache.kafka.common.requests.AssignReplicasToDirsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryMovesTest {
    private static final short ONE = 1;
    private static final TopicIdPartition ALONE = new TopicIdPartition(Uuid.randomUuid(), 0, "alone");
    private static final TopicIdPartition TIERED = new TopicIdPartition(Uuid.randomUuid(), 0, "tiered");
    private static final TopicPartition HERE = ALONE.topicPartition();

    @TempDir
    Path home;

    private final List<Uuid> told = new ArrayList<>();
    private TestBroker broker;
    private String from;
    private String to;

    @BeforeEach
    void start() throws Exception {
        broker = new TestBroker(home, 2, topic(ALONE), partition(ALONE, List.of(1), List.of(1)));
        broker.produce(ONE, ALONE, records("a", "b"));
        from = place();
        to = home.resolve(from.endsWith("0") ? "logs1" : "logs0").toString();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private String place() {
        return broker.replicas.log(HERE).orElseThrow().parentDir();
    }

    private Errors alter(TopicPartition partition, String directory) {
        return broker.replicas.moves().alter(Map.of(partition, directory)).get(partition);
    }

    @Test
    void theCopyServesWhenTheControllerKnows() {
        assertThat(alter(HERE, to)).isEqualTo(Errors.NONE);
        await().until(() -> state().equals("TELLING"));
        assertThat(place()).isEqualTo(from);
        broker.produce(ONE, ALONE, records("c"));

        await().until(() -> {
            confirmAll();
            return place().equals(to);
        });

        assertThat(broker.replicas.moves().moves()).isEmpty();
        broker.produce(ONE, ALONE, records("d"));
        assertThat(values(broker.fetch(from(ALONE, 0)))).containsExactly("a", "b", "c", "d");
        assertThat(broker.replicas.endOfEpoch(HERE, 5, 5).endOffset()).isEqualTo(4);
    }

    @Test
    void askingForTheServingDirectoryEndsTheMove() {
        alter(HERE, to);
        await().until(() -> state().equals("TELLING"));

        assertThat(alter(HERE, from)).isEqualTo(Errors.NONE);

        assertThat(broker.replicas.moves().moves()).isEmpty();
        assertThat(new File(to, "alone-0-future")).doesNotExist();
        assertThat(values(broker.fetch(from(ALONE, 0)))).containsExactly("a", "b");
    }

    @Test
    void refusesWhatCannotBe() {
        TopicPartition unknown = new TopicPartition("unknown", 0);
        TopicPartition tooLong = new TopicPartition("n".repeat(249), 0);

        assertThat(alter(HERE, "/nowhere")).isEqualTo(Errors.LOG_DIR_NOT_FOUND);
        assertThat(alter(unknown, to)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(alter(tooLong, to)).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
        broker.failDirectory(to.endsWith("0") ? 0 : 1);
        assertThat(alter(HERE, to)).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
    }

    @Test
    void aFailedTargetEndsTheMoveAndTheLogServesOn() {
        alter(HERE, to);

        broker.failDirectory(to.endsWith("0") ? 0 : 1);

        assertThat(broker.replicas.moves().moves()).isEmpty();
        assertThat(broker.produceError(ONE, ALONE, records("c"))).isEqualTo(Errors.NONE);
    }

    @Test
    void aFailedSourceTakesThePartitionOffline() {
        alter(HERE, to);

        broker.failDirectory(from.endsWith("0") ? 0 : 1);

        assertThat(broker.replicas.moves().moves()).isEmpty();
        assertThat(broker.produceError(ONE, ALONE, records("c"))).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
    }

    @Test
    void aDeletedPartitionTakesItsCopyAlong() {
        alter(HERE, to);

        broker.apply(noTopic(ALONE));

        assertThat(broker.replicas.moves().moves()).isEmpty();
        assertThat(new File(to, "alone-0-future")).doesNotExist();
    }

    @Test
    void aMoveGoesOnInAnotherLeaderEpoch() {
        alter(HERE, to);
        broker.apply(change(ALONE).setLeader(1));
        broker.produce(ONE, ALONE, records("c"));

        await().until(() -> {
            confirmAll();
            return place().equals(to);
        });

        assertThat(values(broker.fetch(from(ALONE, 0)))).containsExactly("a", "b", "c");
    }

    @Test
    void aChangeOfTheMetadataDoesNotTakeBackWhatTheMoveHasTold() {
        Uuid target = broker.directoryId(to);
        alter(HERE, to);
        await().until(() -> state().equals("TELLING"));

        broker.apply(change(ALONE).setDirectories(List.of(Uuid.randomUuid())));

        await().until(() -> {
            confirmAll();
            return place().equals(to);
        });
        await().during(Duration.ofMillis(200)).until(() -> {
            confirmAll();
            return told.get(told.size() - 1).equals(target);
        });
    }

    @Test
    void aRestartTakesTheMoveUpAgain() throws Exception {
        alter(HERE, to);
        await().until(() -> state().equals("TELLING"));
        broker.close();

        broker = new TestBroker(home, 2, topic(ALONE), partition(ALONE, List.of(1), List.of(1)));

        assertThat(place()).isEqualTo(from);
        await().until(() -> {
            confirmAll();
            return place().equals(to);
        });
        assertThat(values(broker.fetch(from(ALONE, 0)))).containsExactly("a", "b");
    }

    @Test
    void aCopyKnowsTheProducersWhoseRecordsAreInRemoteStorage() throws Exception {
        broker.close();
        broker = new TestBroker(
                home,
                2,
                Map.of("remote.log.storage.system.enable", "true", "remote.log.manager.task.interval.ms", "20"),
                topic(TIERED),
                setting(TIERED, "remote.storage.enable", "true"),
                setting(TIERED, "local.retention.ms", "1"),
                partition(TIERED, List.of(1), List.of(1)));
        broker.produce(ONE, TIERED, idempotent(7, 0, "a"));
        broker.tier(TIERED, "b");
        String target = otherDirectory(TIERED);

        alter(TIERED.topicPartition(), target);
        await().until(() -> {
            confirmAll();
            return broker.log(TIERED).parentDir().equals(target);
        });

        assertThat(broker.log(TIERED).logStartOffset()).isZero();
        assertThat(broker.log(TIERED).localLogStartOffset()).isEqualTo(2);
        assertThat(broker.produce(ONE, TIERED, idempotent(7, 0, "a")).get(0).baseOffset)
                .isZero();
        assertThat(broker.log(TIERED).logEndOffset()).isEqualTo(2);
    }

    private String otherDirectory(TopicIdPartition partition) {
        return home.resolve(broker.log(partition).parentDir().endsWith("0") ? "logs1" : "logs0")
                .toString();
    }

    private String state() {
        List<Move> moves = broker.replicas.moves().moves();
        return moves.isEmpty() ? "" : moves.get(0).state();
    }

    /** Answers as a controller that agrees to every assignment. */
    private void confirmAll() {
        for (ControllerRequest asked = broker.toController.poll(); asked != null; asked = broker.toController.poll()) {
            if (asked.request() instanceof AssignReplicasToDirsRequest assignments) {
                assignments.data().directories().forEach(directory -> told.add(directory.id()));
                asked.answer(new AssignReplicasToDirsResponse(agreed(assignments.data())));
            }
        }
    }

    private static AssignReplicasToDirsResponseData agreed(AssignReplicasToDirsRequestData asked) {
        Map<Uuid, AssignReplicasToDirsResponseData.DirectoryData> directories = new LinkedHashMap<>();
        asked.directories().forEach(directory -> {
            AssignReplicasToDirsResponseData.DirectoryData answer =
                    new AssignReplicasToDirsResponseData.DirectoryData().setId(directory.id());
            directory.topics().forEach(topic -> {
                AssignReplicasToDirsResponseData.TopicData partitions =
                        new AssignReplicasToDirsResponseData.TopicData().setTopicId(topic.topicId());
                topic.partitions().forEach(one -> partitions
                        .partitions()
                        .add(new AssignReplicasToDirsResponseData.PartitionData()
                                .setPartitionIndex(one.partitionIndex())));
                answer.topics().add(partitions);
            });
            directories.put(directory.id(), answer);
        });
        return new AssignReplicasToDirsResponseData().setDirectories(List.copyOf(directories.values()));
    }
}
