package io.gregor.replication.internal;

import static io.gregor.replication.internal.TestBroker.START_MS;
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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.replication.Replicas.FoundOffset;
import io.gregor.internal.replication.Replicas.KnownLeader;
import io.gregor.internal.replication.Replicas.PartitionRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.FencedLeaderEpochException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AssignReplicasToDirsRequest;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.server.partition.PartitionListener;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaStoreTest {
    private static final short ALL = -1;
    private static final short ONE = 1;
    private static final TopicIdPartition ALONE = new TopicIdPartition(Uuid.randomUuid(), 0, "alone");
    private static final TopicIdPartition SHARED = new TopicIdPartition(Uuid.randomUuid(), 0, "shared");
    private static final TopicIdPartition FOLLOWED = new TopicIdPartition(Uuid.randomUuid(), 0, "followed");

    @TempDir
    Path home;

    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new TestBroker(
                home,
                2,
                topic(ALONE),
                partition(ALONE, List.of(1), List.of(1)),
                topic(SHARED),
                partition(SHARED, List.of(1, 2), List.of(1, 2)),
                topic(FOLLOWED),
                partition(FOLLOWED, List.of(2, 1), List.of(2, 1)));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void acknowledgesAtOnceWithoutFollowers() {
        PartitionResponse response =
                broker.produce(ALL, ALONE, records("a", "b")).get(0);

        assertThat(response.error).isEqualTo(Errors.NONE);
        assertThat(response.baseOffset).isZero();
        FetchPartitionData read = broker.fetch(from(ALONE, 0));
        assertThat(values(read)).containsExactly("a", "b");
        assertThat(read.highWatermark).isEqualTo(2);
    }

    @Test
    void acknowledgesAfterTheFollowersLeftTheIsr() {
        CompletableFuture<List<PartitionResponse>> produced = broker.produceLater(ALL, 60_000, SHARED, records("a"));
        assertThat(produced).isNotDone();
        assertThat(broker.fetch(from(SHARED, 0)).records.sizeInBytes()).isZero();

        broker.apply(change(SHARED).setIsr(List.of(1)));

        assertThat(produced).isCompletedWithValueMatching(all -> all.get(0).error == Errors.NONE);
        assertThat(values(broker.fetch(from(SHARED, 0)))).containsExactly("a");
    }

    @Test
    void tellsThatFollowersWereTooSlow() {
        PartitionResponse response =
                broker.produceLater(ALL, 1, SHARED, records("a")).join().get(0);

        assertThat(response.error).isEqualTo(Errors.REQUEST_TIMED_OUT);
    }

    @Test
    void refusesAcksAllBelowMinInSync() {
        broker.apply(setting(SHARED, "min.insync.replicas", "2"));
        broker.replicas.log(SHARED.topicPartition()).orElseThrow().updateConfig(minInSync(2));
        broker.apply(change(SHARED).setIsr(List.of(1)));

        assertThat(broker.produceError(ALL, SHARED, records("a"))).isEqualTo(Errors.NOT_ENOUGH_REPLICAS);
        assertThat(broker.produceError(ONE, SHARED, records("a"))).isEqualTo(Errors.NONE);
        assertThat(broker.fetch(from(SHARED, 0)).highWatermark).isZero();
    }

    private static LogConfig minInSync(int count) {
        return new LogConfig(Map.of("min.insync.replicas", count));
    }

    @Test
    void refusesAcksThatDoNotExist() {
        assertThat(broker.produceError((short) 2, ALONE, records("a"))).isEqualTo(Errors.INVALID_REQUIRED_ACKS);
    }

    @Test
    void appendWakesWaitingFetch() {
        CompletableFuture<List<FetchPartitionData>> waiting = broker.fetchLater(60_000, 1, from(ALONE, 0));
        assertThat(waiting).isNotDone();

        broker.produce(ONE, ALONE, records("a"));

        assertThat(waiting)
                .isCompletedWithValueMatching(all -> values(all.get(0)).equals(List.of("a")));
    }

    @Test
    void producerIsAnsweredBeforeWaitingFetches() {
        List<String> order = new ArrayList<>();
        var fetched = broker.fetchLater(60_000, 1, from(ALONE, 0)).thenRun(() -> order.add("fetch"));
        CompletableFuture<List<PartitionResponse>> done = new CompletableFuture<>();
        var produced = done.thenRun(() -> order.add("produce"));

        broker.replicas.append(
                ALL,
                1000,
                false,
                AppendOrigin.CLIENT,
                List.of(new PartitionRecords(ALONE, records("a"))),
                TestBroker.LOCAL,
                done::complete);

        assertThat(CompletableFuture.allOf(fetched, produced)).isCompleted();
        assertThat(order).containsExactly("produce", "fetch");
    }

    @Test
    void waitingFetchEndsEmptyWhenTimeIsOver() {
        List<FetchPartitionData> answer =
                broker.fetchLater(20, 1, from(ALONE, 0)).join();

        assertThat(answer).hasSize(1);
        assertThat(answer.get(0).error).isEqualTo(Errors.NONE);
        assertThat(answer.get(0).records.sizeInBytes()).isZero();
    }

    @Test
    void waitingFetchEndsWithWhatThereIsWhenItsAnswerIsWanted() {
        broker.produce((short) 1, ALONE, records("a"));
        CompletableFuture<List<FetchPartitionData>> waiting = new CompletableFuture<>();
        Runnable endOfWait = broker.fetchLater(60_000, 10_000, waiting, from(ALONE, 0));
        assertThat(waiting).isNotDone();

        endOfWait.run();

        assertThat(values(waiting.join().get(0))).containsExactly("a");
        endOfWait.run();
    }

    @Test
    void fetchThatNeedNotWaitHasNoWaitToEnd() {
        broker.produce((short) 1, ALONE, records("a"));

        assertThat(broker.fetchLater(60_000, 1, new CompletableFuture<>(), from(ALONE, 0)))
                .isNull();
    }

    @Test
    void waitingFetchEndsWhenItsTopicIsDeleted() {
        CompletableFuture<List<FetchPartitionData>> waiting = broker.fetchLater(60_000, 1, from(ALONE, 0));

        broker.apply(noTopic(ALONE));

        assertThat(waiting).isCompletedWithValueMatching(all -> all.get(0).error == Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void fencesClientsWithAnotherLeaderEpoch() {
        assertThat(broker.fetch(from(ALONE, 0, Optional.of(4))).error).isEqualTo(Errors.FENCED_LEADER_EPOCH);
        assertThat(broker.fetch(from(ALONE, 0, Optional.of(6))).error).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
        assertThat(broker.fetch(from(ALONE, 0, Optional.of(5))).error).isEqualTo(Errors.NONE);
        assertThatThrownBy(() -> offset(ALONE, ListOffsetsRequest.LATEST_TIMESTAMP, 4))
                .isInstanceOf(FencedLeaderEpochException.class);
    }

    @Test
    void refusesAnotherTopicId() {
        TopicIdPartition other = new TopicIdPartition(Uuid.randomUuid(), ALONE.topicPartition());

        assertThat(broker.produceError(ONE, other, records("a"))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
        assertThat(broker.fetch(from(other, 0)).error).isEqualTo(Errors.INCONSISTENT_TOPIC_ID);
    }

    @Test
    void requestLimitLeavesLaterPartitionsEmptyButNeverTheFirst() {
        broker.produce(ONE, ALONE, records("x".repeat(900_000)));
        broker.produce(ONE, ALONE, records("y".repeat(200_000)));
        broker.apply(change(SHARED).setIsr(List.of(1)));
        broker.produce(ONE, SHARED, records("z".repeat(200_000)));

        List<FetchPartitionData> read =
                broker.fetchLater(0, 1, from(ALONE, 0), from(SHARED, 0)).join();

        assertThat(values(read.get(0))).hasSize(1);
        assertThat(read.get(1).error).isEqualTo(Errors.NONE);
        assertThat(read.get(1).records.sizeInBytes()).isZero();
    }

    @Test
    void findsOffsetsByTimestampAndTheEnds() {
        broker.produce(ONE, ALONE, records("a", "b", "c"));

        assertThat(offset(ALONE, ListOffsetsRequest.EARLIEST_TIMESTAMP, -1).offset())
                .isZero();
        assertThat(offset(ALONE, ListOffsetsRequest.LATEST_TIMESTAMP, -1).offset())
                .isEqualTo(3);
        assertThat(offset(ALONE, ListOffsetsRequest.MAX_TIMESTAMP, -1)).isEqualTo(new FoundOffset(2, START_MS + 2, 5));
        assertThat(offset(ALONE, START_MS + 1, -1)).isEqualTo(new FoundOffset(1, START_MS + 1, 5));
        assertThat(offset(ALONE, START_MS + 5, -1)).isEqualTo(new FoundOffset(-1, -1, -1));
    }

    @Test
    void consumerFindsNoOffsetThatIsNotReplicated() {
        broker.produce(ONE, SHARED, records("a"));

        assertThat(offset(SHARED, START_MS, -1).offset()).isEqualTo(-1);
        assertThat(offset(SHARED, ListOffsetsRequest.LATEST_TIMESTAMP, -1).offset())
                .isZero();
    }

    private FoundOffset offset(TopicIdPartition partition, long timestamp, int leaderEpoch) {
        return broker.replicas.offsetForTimestamp(
                partition.topicPartition(), timestamp, FetchIsolation.HIGH_WATERMARK, leaderEpoch, true);
    }

    @Test
    void tellsWhereAnEpochEnds() {
        broker.produce(ONE, ALONE, records("a", "b"));
        broker.apply(change(ALONE).setLeader(1));
        broker.produce(ONE, ALONE, records("c"));

        assertThat(broker.replicas.endOfEpoch(ALONE.topicPartition(), -1, 5).endOffset())
                .isEqualTo(2);
        assertThat(broker.replicas.endOfEpoch(ALONE.topicPartition(), -1, 6).endOffset())
                .isEqualTo(3);
        assertThat(broker.replicas
                        .endOfEpoch(new TopicPartition("none", 0), -1, 6)
                        .errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void deletesRecordsBeforeAnOffset() {
        broker.produce(ONE, ALONE, records("a", "b", "c"));

        assertThat(broker.replicas.deleteRecordsBefore(ALONE.topicPartition(), 2, false))
                .isCompleted();

        assertThat(broker.fetch(from(ALONE, 1)).error).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(broker.fetch(from(ALONE, 2)).logStartOffset).isEqualTo(2);
    }

    @Test
    void deletionIsRefusedWhereRecordsAreOnlyCompacted() {
        broker.replicas
                .log(ALONE.topicPartition())
                .orElseThrow()
                .updateConfig(new LogConfig(Map.of("cleanup.policy", "compact")));

        assertThat(broker.replicas.deleteRecordsBefore(ALONE.topicPartition(), 0, false))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(PolicyViolationException.class);
    }

    @Test
    void acknowledgesARepeatedBatchOnceAndRefusesAGap() {
        PartitionResponse first =
                broker.produce(ALL, ALONE, idempotent(9, 0, "a", "b")).get(0);
        PartitionResponse again =
                broker.produce(ALL, ALONE, idempotent(9, 0, "a", "b")).get(0);

        assertThat(again.error).isEqualTo(Errors.NONE);
        assertThat(again.baseOffset).isEqualTo(first.baseOffset);
        assertThat(broker.fetch(from(ALONE, 0)).highWatermark).isEqualTo(2);
        assertThat(broker.produceError(ALL, ALONE, idempotent(9, 7, "c")))
                .isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(broker.replicas.activeProducers(ALONE.topicPartition()).activeProducers())
                .singleElement()
                .matches(producer -> producer.producerId() == 9 && producer.lastSequence() == 1);
    }

    @Test
    void internalTopicsAreNotForClients() {
        TopicIdPartition internal = new TopicIdPartition(Uuid.randomUuid(), 0, "__consumer_offsets");
        broker.apply(topic(internal), partition(internal, List.of(1), List.of(1)));

        assertThat(broker.produceError(ONE, internal, records("a"))).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void followerRefusesAppendsAndTellsItsLeader() {
        assertThat(broker.produceError(ONE, FOLLOWED, records("a"))).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(broker.replicas.leader(FOLLOWED.topicPartition())).isEqualTo(new KnownLeader(2, 5));
        assertThat(broker.replicas.log(FOLLOWED.topicPartition())).isPresent();
        assertThat(broker.replicas.isLeader(FOLLOWED.topicPartition())).isFalse();
    }

    @Test
    void leaderThatStepsDownAnswersWhoWaits() {
        List<TopicPartition> stepped = new ArrayList<>();
        broker.replicas.watch(SHARED.topicPartition(), new PartitionListener() {
            @Override
            public void onBecomingFollower(TopicPartition partition) {
                stepped.add(partition);
            }
        });
        CompletableFuture<List<PartitionResponse>> produced = broker.produceLater(ALL, 60_000, SHARED, records("a"));

        broker.apply(change(SHARED).setLeader(2));

        assertThat(produced).isCompletedWithValueMatching(all -> all.get(0).error == Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(stepped).containsExactly(SHARED.topicPartition());
    }

    @Test
    void staleMetadataChangesNothing() {
        broker.apply(change(ALONE).setLeader(1));
        Uuid id = ALONE.topicId();

        broker.apply(partition(ALONE, List.of(1, 2), List.of(2)).setTopicId(id));

        assertThat(broker.replicas.leader(ALONE.topicPartition())).isEqualTo(new KnownLeader(1, 6));
    }

    @Test
    void topicThatIsMadeAgainStartsEmpty() {
        broker.produce(ONE, ALONE, records("a"));
        TopicIdPartition again = new TopicIdPartition(Uuid.randomUuid(), ALONE.topicPartition());

        broker.apply(noTopic(ALONE));
        broker.apply(topic(again), partition(again, List.of(1), List.of(1)));

        assertThat(broker.fetch(from(again, 0)).highWatermark).isZero();
        assertThat(broker.produceError(ONE, ALONE, records("a"))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    }

    @Test
    void watchersHearOfHighWatermarks() {
        List<Long> marks = new ArrayList<>();
        broker.replicas.watch(ALONE.topicPartition(), new PartitionListener() {
            @Override
            public void onHighWatermarkUpdated(TopicPartition partition, long offset) {
                marks.add(offset);
            }
        });

        broker.produce(ONE, ALONE, records("a"));
        broker.produce(ONE, ALONE, records("b", "c"));

        assertThat(marks).containsExactly(1L, 3L);
    }

    @Test
    void partitionsOfAFailedDirectoryAreOffline() {
        String parent =
                broker.replicas.log(ALONE.topicPartition()).orElseThrow().parentDir();
        CompletableFuture<List<FetchPartitionData>> waiting = broker.fetchLater(60_000, 1, from(ALONE, 0));

        broker.failDirectory(parent.endsWith("0") ? 0 : 1);

        assertThat(waiting).isCompletedWithValueMatching(all -> all.get(0).error == Errors.KAFKA_STORAGE_ERROR);
        assertThat(broker.produceError(ONE, ALONE, records("a"))).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
    }

    @Test
    void controllerIsToldWhereLogsAre() {
        AssignReplicasToDirsRequest told = (AssignReplicasToDirsRequest)
                broker.sent(AssignReplicasToDirsRequest.class).request();

        assertThat(told.data().brokerId()).isEqualTo(TestBroker.ID);
        assertThat(told.data().directories())
                .flatExtracting(directory -> directory.topics())
                .extracting(topic -> topic.topicId())
                .containsExactlyInAnyOrder(ALONE.topicId(), SHARED.topicId(), FOLLOWED.topicId());
    }
}
