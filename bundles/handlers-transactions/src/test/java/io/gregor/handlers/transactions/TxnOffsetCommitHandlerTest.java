package io.gregor.handlers.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.MetadataCache;
import org.junit.jupiter.api.Test;

class TxnOffsetCommitHandlerTest {
    private static final Uuid KNOWN = Uuid.randomUuid();
    private static final Uuid STRANGE = Uuid.randomUuid();

    private final FakeAuthorization authorization = new FakeAuthorization();
    private final List<TxnOffsetCommitRequestData> committed = new ArrayList<>();
    private Errors result = Errors.NONE;

    private FakeRequest handle(int version, TxnOffsetCommitRequestTopic... topics) {
        TxnOffsetCommitRequestData data = new TxnOffsetCommitRequestData()
                .setTransactionalId("tx")
                .setGroupId("group")
                .setProducerId(9)
                .setProducerEpoch((short) 2)
                .setTopics(List.of(topics));
        FakeRequest request = FakeRequest.parsed(ApiKeys.TXN_OFFSET_COMMIT, version, data);
        MetadataCache cache = Fake.of(MetadataCache.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getTopicName" -> arguments[0].equals(KNOWN) ? Optional.of("known") : Optional.empty();
            case "getTopicId" -> arguments[0].equals("known") ? KNOWN : Uuid.ZERO_UUID;
            case "getLeaderAndIsr" ->
                arguments[0].equals("known") && arguments[1].equals(0)
                        ? Optional.of(new LeaderAndIsr(1, List.of(1)))
                        : Optional.empty();
            default -> throw Fake.unexpected(method.getName());
        });
        new TxnOffsetCommitHandler(
                        Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> commit(arguments[1])),
                        Fake.of(ServedMetadata.class, (proxy, method, arguments) -> cache),
                        authorization)
                .handle(request);
        return request;
    }

    private CompletableFuture<TxnOffsetCommitResponseData> commit(Object asked) {
        TxnOffsetCommitRequestData data = (TxnOffsetCommitRequestData) asked;
        committed.add(data);
        TxnOffsetCommitResponseData answer = new TxnOffsetCommitResponseData();
        data.topics().forEach(topic -> answer.topics()
                .add(new TxnOffsetCommitResponseTopic()
                        .setName(topic.name())
                        .setTopicId(topic.topicId())
                        .setPartitions(topic.partitions().stream()
                                .map(partition -> new TxnOffsetCommitResponsePartition()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(result.code()))
                                .toList())));
        return CompletableFuture.completedFuture(answer);
    }

    private static TxnOffsetCommitRequestTopic topic(String name, Uuid id, int... partitions) {
        TxnOffsetCommitRequestTopic topic =
                new TxnOffsetCommitRequestTopic().setName(name).setTopicId(id);
        for (int partition : partitions) {
            topic.partitions().add(new TxnOffsetCommitRequestPartition().setPartitionIndex(partition));
        }
        return topic;
    }

    private static List<Errors> errors(FakeRequest request) {
        return request.answer(TxnOffsetCommitResponse.class).data().topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(partition -> Errors.forCode(partition.errorCode()))
                .toList();
    }

    @Test
    void commitsWhatThereIsAndRefusesTheRest() {
        authorization.deny("hidden");

        FakeRequest request = handle(
                5,
                topic("hidden", Uuid.ZERO_UUID, 0),
                topic("strange", Uuid.ZERO_UUID, 0),
                topic("known", Uuid.ZERO_UUID, 0, 7));

        assertThat(errors(request))
                .containsExactlyInAnyOrder(
                        Errors.TOPIC_AUTHORIZATION_FAILED,
                        Errors.UNKNOWN_TOPIC_OR_PARTITION,
                        Errors.UNKNOWN_TOPIC_OR_PARTITION,
                        Errors.NONE);
        assertThat(committed).hasSize(1);
        assertThat(committed.get(0).transactionalId()).isEqualTo("tx");
        assertThat(committed.get(0).topics()).containsExactly(topic("known", KNOWN, 0));
    }

    @Test
    void takesTopicsByTheirIdsFromVersionSixOn() {
        FakeRequest request = handle(6, topic("", STRANGE, 0), topic("", KNOWN, 0));

        assertThat(errors(request)).containsExactlyInAnyOrder(Errors.UNKNOWN_TOPIC_ID, Errors.NONE);
        assertThat(committed.get(0).topics()).containsExactly(topic("known", KNOWN, 0));
    }

    @Test
    void anOldClientIsNotToldOfLoading() {
        result = Errors.COORDINATOR_LOAD_IN_PROGRESS;

        assertThat(errors(handle(1, topic("known", Uuid.ZERO_UUID, 0))))
                .containsExactly(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(errors(handle(2, topic("known", Uuid.ZERO_UUID, 0))))
                .containsExactly(Errors.COORDINATOR_LOAD_IN_PROGRESS);
    }

    @Test
    void needsTheTransactionalIdThenTheGroup() {
        authorization.deny("group");
        assertThat(handle(5, topic("known", KNOWN, 0)).answer()).isInstanceOf(GroupAuthorizationException.class);

        authorization.deny("tx");
        assertThat(handle(5, topic("known", KNOWN, 0)).answer())
                .isInstanceOf(TransactionalIdAuthorizationException.class);
        assertThat(committed).isEmpty();
    }
}
