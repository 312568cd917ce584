package io.gregor.handlers.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;
import org.junit.jupiter.api.Test;

class WriteTxnMarkersHandlerTest {
    private static final TopicPartition A = new TopicPartition("a", 0);
    private static final TopicPartition B = new TopicPartition("b", 1);

    private final FakeAuthorization authorization = new FakeAuthorization();
    private final List<TxnMarkerEntry> asked = new ArrayList<>();
    private final List<CompletableFuture<Map<TopicPartition, Errors>>> ends = new ArrayList<>();

    private FakeRequest handle(int version, WritableTxnMarker... markers) {
        FakeRequest request = FakeRequest.parsed(
                ApiKeys.WRITE_TXN_MARKERS, version, new WriteTxnMarkersRequestData().setMarkers(List.of(markers)));
        new WriteTxnMarkersHandler(
                        marker -> {
                            asked.add(marker);
                            ends.add(new CompletableFuture<>());
                            return ends.get(ends.size() - 1);
                        },
                        authorization)
                .handle(request);
        return request;
    }

    private static WritableTxnMarker marker(long producer, TopicPartition partition) {
        return new WritableTxnMarker()
                .setProducerId(producer)
                .setProducerEpoch((short) 3)
                .setTransactionResult(true)
                .setTransactionVersion((byte) 2)
                .setTopics(List.of(new WritableTxnMarkerTopic()
                        .setName(partition.topic())
                        .setPartitionIndexes(List.of(partition.partition()))));
    }

    @Test
    void answersWhenAllMarkersHaveEnded() {
        FakeRequest request = handle(2, marker(5, A), marker(6, B), marker(5, B));
        ends.get(0).complete(Map.of(A, Errors.NONE));
        ends.get(2).complete(Map.of(B, Errors.NOT_LEADER_OR_FOLLOWER));
        assertThat(request.answers()).isEmpty();

        ends.get(1).complete(Map.of(B, Errors.UNKNOWN_TOPIC_OR_PARTITION));

        assertThat(request.answer(WriteTxnMarkersResponse.class).errorsByProducerId())
                .isEqualTo(Map.of(
                        5L, Map.of(A, Errors.NONE, B, Errors.NOT_LEADER_OR_FOLLOWER),
                        6L, Map.of(B, Errors.UNKNOWN_TOPIC_OR_PARTITION)));
        assertThat(asked).extracting(TxnMarkerEntry::transactionVersion).containsOnly((short) 2);
    }

    @Test
    void noMarkersAreAnsweredAtOnce() {
        assertThat(handle(1).answer(WriteTxnMarkersResponse.class).errorsByProducerId())
                .isEmpty();
    }

    @Test
    void oneOfTwoRightsIsEnough() {
        authorization.deny("ALTER kafka-cluster");
        handle(1, marker(5, A));
        authorization.deny("CLUSTER_ACTION kafka-cluster");

        assertThatThrownBy(() -> handle(1, marker(5, A))).isInstanceOf(ClusterAuthorizationException.class);
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0).transactionVersion()).isEqualTo((short) 0);
    }
}
