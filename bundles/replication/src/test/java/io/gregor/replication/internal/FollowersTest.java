package io.gregor.replication.internal;

import static io.gregor.replication.internal.TestBroker.from;
import static io.gregor.replication.internal.TestBroker.partition;
import static io.gregor.replication.internal.TestBroker.records;
import static io.gregor.replication.internal.TestBroker.topic;
import static io.gregor.replication.internal.TestBroker.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.replication.internal.TestBroker.ControllerRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterPartitionRequestData.BrokerState;
import org.apache.kafka.common.message.AlterPartitionResponseData;
import org.apache.kafka.common.message.AlterPartitionResponseData.PartitionData;
import org.apache.kafka.common.message.AlterPartitionResponseData.TopicData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterPartitionRequest;
import org.apache.kafka.common.requests.AlterPartitionResponse;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowersTest {
    private static final short ALL = -1;
    private static final long EPOCH = 21;
    private static final TopicIdPartition SHARED = new TopicIdPartition(Uuid.randomUuid(), 0, "shared");

    @TempDir
    Path home;

    private TestBroker leader(Map<String, String> settings, Integer... isr) throws Exception {
        return new TestBroker(
                home,
                1,
                settings,
                TestBroker.broker(1, 11),
                TestBroker.broker(2, EPOCH),
                topic(SHARED),
                partition(SHARED, List.of(1, 2), List.of(isr)));
    }

    @Test
    void recordsAreAcknowledgedWhenTheFollowerHasThem() throws Exception {
        try (TestBroker broker = leader(Map.of(), 1, 2)) {
            CompletableFuture<List<PartitionResponse>> produced =
                    broker.produceLater(ALL, 60_000, SHARED, records("a"));

            assertThat(values(broker.follow(2, EPOCH, SHARED, 0))).containsExactly("a");
            assertThat(produced).isNotDone();
            assertThat(broker.fetch(from(SHARED, 0)).highWatermark).isZero();

            broker.follow(2, EPOCH, SHARED, 1);
            assertThat(produced).isCompletedWithValueMatching(all -> all.get(0).error == Errors.NONE);
            assertThat(broker.fetch(from(SHARED, 0)).highWatermark).isEqualTo(1);
        }
    }

    @Test
    void followerThatCaughtUpIsProposedAndCountsAtOnce() throws Exception {
        try (TestBroker broker = leader(Map.of(), 1)) {
            broker.produce(ALL, SHARED, records("a"));

            broker.follow(2, EPOCH, SHARED, 1);

            assertThat(proposed(broker.sent(AlterPartitionRequest.class)))
                    .containsExactly(
                            new BrokerState().setBrokerId(1).setBrokerEpoch(11),
                            new BrokerState().setBrokerId(2).setBrokerEpoch(EPOCH));
            assertThat(broker.produceLater(ALL, 60_000, SHARED, records("b"))).isNotDone();
        }
    }

    @Test
    void followerOfAnotherIncarnationIsNotProposed() throws Exception {
        try (TestBroker broker = leader(Map.of(), 1)) {
            broker.produce(ALL, SHARED, records("a"));

            assertThat(broker.follow(2, EPOCH - 1, SHARED, 1).error).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
            assertThat(broker.toController).noneMatch(sent -> sent.request() instanceof AlterPartitionRequest);
        }
    }

    @Test
    void laggingFollowerCountsUntilTheControllerHasTakenItOut() throws Exception {
        try (TestBroker broker = leader(Map.of("replica.lag.time.max.ms", "50"), 1, 2)) {
            CompletableFuture<List<PartitionResponse>> produced =
                    broker.produceLater(ALL, 60_000, SHARED, records("a"));

            ControllerRequest request = broker.sent(AlterPartitionRequest.class);
            assertThat(proposed(request)).extracting(BrokerState::brokerId).containsExactly(1);
            assertThat(produced).isNotDone();

            request.answer(confirmation(List.of(1), 8));
            assertThat(produced).isCompletedWithValueMatching(all -> all.get(0).error == Errors.NONE);
        }
    }

    @Test
    void brokerWithoutReplicaIsToComeAgain() throws Exception {
        try (TestBroker broker = leader(Map.of(), 1)) {
            assertThat(broker.follow(3, EPOCH, SHARED, 0).error).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
        }
    }

    private static List<BrokerState> proposed(ControllerRequest request) {
        AlterPartitionRequestData data = ((AlterPartitionRequest) request.request()).data();
        return data.topics().get(0).partitions().get(0).newIsrWithEpochs();
    }

    private static AlterPartitionResponse confirmation(List<Integer> isr, int partitionEpoch) {
        PartitionData partition = new PartitionData()
                .setPartitionIndex(0)
                .setLeaderId(1)
                .setLeaderEpoch(5)
                .setIsr(isr)
                .setPartitionEpoch(partitionEpoch);
        TopicData topic = new TopicData().setTopicId(SHARED.topicId()).setPartitions(List.of(partition));
        return new AlterPartitionResponse(new AlterPartitionResponseData().setTopics(List.of(topic)));
    }
}
