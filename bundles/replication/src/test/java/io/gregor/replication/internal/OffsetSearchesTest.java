package io.gregor.replication.internal;

import static io.gregor.replication.internal.TestBroker.START_MS;
import static io.gregor.replication.internal.TestBroker.broker;
import static io.gregor.replication.internal.TestBroker.change;
import static io.gregor.replication.internal.TestBroker.partition;
import static io.gregor.replication.internal.TestBroker.records;
import static io.gregor.replication.internal.TestBroker.topic;
import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas.OffsetQuery;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffsetSearchesTest {
    private static final TopicIdPartition ALONE =
            new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("alone", 0));
    private static final TopicIdPartition SHARED =
            new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("shared", 0));

    @TempDir
    Path home;

    private TestBroker broker;

    @BeforeEach
    void setUp() throws Exception {
        broker = new TestBroker(
                home,
                1,
                broker(2, 1),
                topic(ALONE),
                partition(ALONE, List.of(1), List.of(1)),
                topic(SHARED),
                partition(SHARED, List.of(1, 2), List.of(1, 2)));
    }

    @AfterEach
    void tearDown() {
        broker.close();
    }

    private ListOffsetsPartitionResponse find(TopicIdPartition partition, long timestamp, int version) {
        CompletableFuture<Collection<ListOffsetsTopicResponse>> done = new CompletableFuture<>();
        broker.replicas.findOffsets(
                List.of(new OffsetQuery(partition.topicPartition(), timestamp, -1)),
                FetchIsolation.HIGH_WATERMARK,
                true,
                (short) version,
                0,
                done::complete);
        return done.join().iterator().next().partitions().get(0);
    }

    /** This broker leads again, and its follower has not told yet how far it is. */
    private void leadAnew() {
        broker.produceError((short) 1, SHARED, records("a", "b"));
        broker.apply(change(SHARED).setLeader(1));
    }

    @Test
    void olderClientsDoNotKnowThatAnOffsetMayNotBeKnownYet() {
        leadAnew();

        assertThat(find(SHARED, ListOffsetsRequest.LATEST_TIMESTAMP, 4).errorCode())
                .isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
        assertThat(find(SHARED, ListOffsetsRequest.LATEST_TIMESTAMP, 5).errorCode())
                .isEqualTo(Errors.OFFSET_NOT_AVAILABLE.code());
        assertThat(find(SHARED, START_MS + 1, 4).errorCode()).isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
        assertThat(find(SHARED, START_MS + 1, 5).errorCode()).isEqualTo(Errors.OFFSET_NOT_AVAILABLE.code());
    }

    @Test
    void theEarliestOffsetIsKnownToALeaderThatKnowsNothingElseYet() {
        leadAnew();

        assertThat(find(SHARED, ListOffsetsRequest.EARLIEST_TIMESTAMP, 5).offset())
                .isZero();
    }

    @Test
    void theLeaderEpochIsForClientsThatHaveAFieldForIt() {
        broker.produceError((short) 1, ALONE, records("a", "b"));

        assertThat(find(ALONE, START_MS + 1, 3).leaderEpoch()).isEqualTo(-1);
        ListOffsetsPartitionResponse found = find(ALONE, START_MS + 1, 4);
        assertThat(found.leaderEpoch()).isEqualTo(5);
        assertThat(found.offset()).isEqualTo(1);
        assertThat(found.timestamp()).isEqualTo(START_MS + 1);
    }

    @Test
    void whatIsNotThereHasNoOffset() {
        broker.produceError((short) 1, ALONE, records("a"));

        ListOffsetsPartitionResponse none = find(ALONE, START_MS + 9, 7);
        assertThat(none.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(none.offset()).isEqualTo(-1);
        assertThat(none.timestamp()).isEqualTo(-1);
    }

    @Test
    void aPartitionThatIsNotHereIsUnknown() {
        TopicIdPartition other = new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("other", 3));

        ListOffsetsPartitionResponse answer = find(other, ListOffsetsRequest.LATEST_TIMESTAMP, 7);
        assertThat(answer.errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(answer.partitionIndex()).isEqualTo(3);
    }
}
