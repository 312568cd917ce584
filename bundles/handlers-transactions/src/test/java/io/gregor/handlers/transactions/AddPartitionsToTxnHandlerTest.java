package io.gregor.handlers.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransactionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddPartitionsToTxnResponse;
import org.apache.kafka.metadata.MetadataCache;
import org.junit.jupiter.api.Test;

class AddPartitionsToTxnHandlerTest {
    private static final TopicPartition A = new TopicPartition("a", 0);
    private static final TopicPartition B = new TopicPartition("b", 0);
    private static final TopicPartition GONE = new TopicPartition("gone", 0);

    private final FakeAuthorization authorization = new FakeAuthorization();
    private final FakeCoordinator coordinator = new FakeCoordinator();

    @Test
    void addsWhatAClientNames() {
        assertThat(ofClient(3, A, B)).isEqualTo(Map.of(A, Errors.NONE, B, Errors.NONE));

        assertThat(coordinator.asked())
                .singleElement()
                .asString()
                .startsWith("add tx 9/4 ")
                .endsWith(" as 0");
    }

    @Test
    void nothingIsAddedIfOnePartitionMayNotBe() {
        authorization.deny("WRITE TOPIC b");

        assertThat(ofClient(3, A, B, GONE))
                .isEqualTo(Map.of(
                        A, Errors.OPERATION_NOT_ATTEMPTED,
                        B, Errors.TOPIC_AUTHORIZATION_FAILED,
                        GONE, Errors.UNKNOWN_TOPIC_OR_PARTITION));
        assertThat(coordinator.asked()).isEmpty();
    }

    @Test
    void clientsMayNotAddToInternalTopics() {
        TopicPartition offsets = new TopicPartition("__consumer_offsets", 0);

        assertThat(ofClient(3, offsets)).isEqualTo(Map.of(offsets, Errors.TOPIC_AUTHORIZATION_FAILED));
    }

    @Test
    void needsTheTransactionalIdOfAClient() {
        authorization.deny("WRITE TRANSACTIONAL_ID tx");

        assertThat(ofClient(3, A)).isEqualTo(Map.of(A, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED));
    }

    @Test
    void anOldClientIsToldOfAnotherEpochInsteadOfFencing() {
        coordinator.answerWith(Errors.PRODUCER_FENCED);

        assertThat(ofClient(1, A)).isEqualTo(Map.of(A, Errors.INVALID_PRODUCER_EPOCH));
        assertThat(ofClient(2, A)).isEqualTo(Map.of(A, Errors.PRODUCER_FENCED));
    }

    @Test
    void brokersAddOrAskForSeveralTransactions() {
        authorization.deny("a").deny("tx");

        AddPartitionsToTxnResponse answer = ofBrokers(transaction("tx", false), transaction("ty", true));

        assertThat(answer.errors()).isEqualTo(Map.of("tx", Map.of(A, Errors.NONE), "ty", Map.of(A, Errors.NONE)));
        assertThat(coordinator.asked()).containsExactly("add tx 9/4 [a-0] as 2", "verify ty 9/4 [a-0]");
    }

    @Test
    void onlyBrokersMayAskForSeveral() {
        authorization.deny("CLUSTER_ACTION kafka-cluster");

        assertThatThrownBy(() -> ofBrokers(transaction("tx", true))).isInstanceOf(ClusterAuthorizationException.class);
        assertThat(coordinator.asked()).isEmpty();
    }

    private Map<TopicPartition, Errors> ofClient(int version, TopicPartition... partitions) {
        AddPartitionsToTxnRequestData data = new AddPartitionsToTxnRequestData()
                .setV3AndBelowTransactionalId("tx")
                .setV3AndBelowProducerId(9)
                .setV3AndBelowProducerEpoch((short) 4)
                .setV3AndBelowTopics(topics(partitions));
        return handle(version, data).errors().values().iterator().next();
    }

    private AddPartitionsToTxnResponse ofBrokers(AddPartitionsToTxnTransaction... transactions) {
        AddPartitionsToTxnTransactionCollection all = new AddPartitionsToTxnTransactionCollection();
        for (AddPartitionsToTxnTransaction transaction : transactions) {
            all.add(transaction);
        }
        return handle(5, new AddPartitionsToTxnRequestData().setTransactions(all));
    }

    private AddPartitionsToTxnResponse handle(int version, AddPartitionsToTxnRequestData data) {
        FakeRequest request = FakeRequest.parsed(ApiKeys.ADD_PARTITIONS_TO_TXN, version, data);
        MetadataCache cache = Fake.of(MetadataCache.class, (proxy, method, arguments) -> !GONE.equals(arguments[0]));
        new AddPartitionsToTxnHandler(
                        coordinator, Fake.of(ServedMetadata.class, (proxy, method, arguments) -> cache), authorization)
                .handle(request);
        return request.answer(AddPartitionsToTxnResponse.class);
    }

    private static AddPartitionsToTxnTransaction transaction(String id, boolean isQuestion) {
        return new AddPartitionsToTxnTransaction()
                .setTransactionalId(id)
                .setProducerId(9)
                .setProducerEpoch((short) 4)
                .setVerifyOnly(isQuestion)
                .setTopics(topics(A));
    }

    private static AddPartitionsToTxnTopicCollection topics(TopicPartition... partitions) {
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
        for (TopicPartition partition : partitions) {
            topics.add(new AddPartitionsToTxnTopic()
                    .setName(partition.topic())
                    .setPartitions(List.of(partition.partition())));
        }
        return topics;
    }
}
