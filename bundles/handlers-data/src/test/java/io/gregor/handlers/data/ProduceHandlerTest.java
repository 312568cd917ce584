package io.gregor.handlers.data;

import static io.gregor.handlers.data.DataFixture.TOPIC_ID;
import static io.gregor.handlers.data.DataFixture.records;
import static io.gregor.handlers.data.DataFixture.transactional;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.KnownLeader;
import io.gregor.internal.replication.Replicas.PartitionRecords;
import io.gregor.internal.transactions.TransactionVerification;
import io.gregor.internal.transactions.TransactionVerification.Verified;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.apache.kafka.storage.internals.log.RecordValidationStats;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProduceHandlerTest {
    private static final Uuid OTHER_ID = Uuid.randomUuid();

    private final DataFixture fixture = new DataFixture();
    private final List<PartitionRecords> appended = new ArrayList<>();
    private final List<Replicas.Appended> waiting = new ArrayList<>();
    private final List<TransactionSupportedOperation> operations = new ArrayList<>();
    private Supplier<CompletableFuture<Verified>> verification =
            () -> CompletableFuture.completedFuture(Verified.NOTHING);
    private Errors outcome = Errors.NONE;
    private boolean isSlow;

    private final Replicas replicas = Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
        case "append" -> append(arguments[4], arguments[6]);
        case "leader" -> new KnownLeader(7, 3);
        default -> throw Fake.unexpected(method.getName());
    });

    @SuppressWarnings("unchecked")
    private @Nullable Object append(Object records, Object done) {
        List<PartitionRecords> all = (List<PartitionRecords>) records;
        appended.addAll(all);
        Replicas.Appended callback = (Replicas.Appended) done;
        callback.checked(new RecordValidationStats(500, 1, 7_000));
        if (isSlow) {
            waiting.add(callback);
        } else {
            callback.acknowledged(results(all.size()));
        }
        return null;
    }

    private List<PartitionResponse> results(int count) {
        List<PartitionResponse> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            results.add(new PartitionResponse(outcome, 40 + i, -1, 2));
        }
        return results;
    }

    private void handle(ProduceRequest request) {
        TransactionVerification verifying = (id, producer, epoch, partitions, operation) -> {
            operations.add(operation);
            return verification.get();
        };
        new ProduceHandler(replicas, verifying, fixture.metadata(), fixture.authorization())
                .handle(fixture.request(request));
    }

    private void refuse(TopicPartition partition, Errors error) {
        verification = () -> CompletableFuture.completedFuture(new Verified(Map.of(), Map.of(partition, error)));
    }

    private static ProduceRequest request(int version, int acks, PartitionProduceData... partitions) {
        return request(version, acks, "t", TOPIC_ID, partitions);
    }

    private static ProduceRequest request(
            int version, int acks, String topic, Uuid id, PartitionProduceData... partitions) {
        ProduceRequestData data = new ProduceRequestData()
                .setAcks((short) acks)
                .setTimeoutMs(1000)
                .setTransactionalId("tx");
        data.topicData()
                .add(new TopicProduceData().setName(topic).setTopicId(id).setPartitionData(List.of(partitions)));
        return new ProduceRequest(data, (short) version);
    }

    private static PartitionProduceData partition(int index, MemoryRecords records) {
        return new PartitionProduceData().setIndex(index).setRecords(records);
    }

    private List<PartitionProduceResponse> answered() {
        List<PartitionProduceResponse> partitions = new ArrayList<>();
        for (TopicProduceResponse topic :
                fixture.asked().answer(ProduceResponse.class).data().responses()) {
            partitions.addAll(topic.partitionResponses());
        }
        return partitions;
    }

    @Test
    void answersWithTheOffsetsInTheOrderOfTheRequest() {
        handle(request(9, 1, partition(5, records("a")), partition(0, records("b"))));

        assertThat(answered()).extracting(PartitionProduceResponse::index).containsExactly(5, 0);
        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(answered().get(0).baseOffset()).isEqualTo(-1);
        assertThat(answered().get(1).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(answered().get(1).baseOffset()).isEqualTo(40);
        assertThat(answered().get(1).logStartOffset()).isEqualTo(2);
    }

    @Test
    void answersWhenTheRecordsAreAcknowledged() {
        isSlow = true;

        handle(request(9, -1, partition(0, records("a"))));
        assertThat(fixture.asked().answers()).isEmpty();
        waiting.get(0).acknowledged(results(1));

        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.NONE.code());
    }

    @Test
    void findsTopicsByIdFromVersion13On() {
        handle(request(13, 1, "", TOPIC_ID, partition(0, records("a"))));

        assertThat(appended.get(0).partition().topic()).isEqualTo("t");
        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.NONE.code());
    }

    @Test
    void refusesUnknownTopicIds() {
        handle(request(13, 1, "", Uuid.randomUuid(), partition(0, records("a"))));

        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
        assertThat(appended).isEmpty();
    }

    @Test
    void refusesTopicsThatTheClientMayNotWrite() {
        fixture.authorization().deny("t");

        handle(request(9, 1, partition(0, records("a"))));

        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(appended).isEmpty();
    }

    @Test
    void refusesAPartitionWithoutRecords() {
        handle(request(9, 1, partition(0, MemoryRecords.EMPTY)));

        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.INVALID_RECORD.code());
    }

    @Test
    void refusesAPartitionWhoseRecordsAreNull() {
        handle(request(9, 1, new PartitionProduceData().setIndex(0).setRecords(null)));

        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.INVALID_RECORD.code());
        assertThat(appended).isEmpty();
    }

    @Test
    void saysWhatIsWrongWithBytesThatAreNoBatchAndAppendsTheRest() {
        MemoryRecords broken = records("a");
        broken.buffer().put(Records.MAGIC_OFFSET, (byte) 3);

        handle(request(9, 1, partition(0, broken), partition(0, records("b"))));

        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.CORRUPT_MESSAGE.code());
        assertThat(answered().get(0).errorMessage()).isEqualTo("Invalid magic found in record: 3");
        assertThat(appended).hasSize(1);
    }

    @Test
    void saysNothingWhenNoAcknowledgementIsWanted() {
        handle(request(9, 0, partition(0, records("a"))));

        assertThat(fixture.asked().answers()).containsExactly(FakeRequest.NOTHING);
    }

    @Test
    void closesTheConnectionForAnErrorThatCannotBeTold() {
        outcome = Errors.NOT_LEADER_OR_FOLLOWER;

        handle(request(9, 0, partition(0, records("a"))));

        assertThat(fixture.asked().answers()).containsExactly(FakeRequest.CLOSED);
    }

    @Test
    void tellsTheLeaderFromVersion10On() {
        outcome = Errors.NOT_LEADER_OR_FOLLOWER;

        handle(request(10, 1, partition(0, records("a"))));

        assertThat(answered().get(0).currentLeader().leaderId()).isEqualTo(7);
        assertThat(answered().get(0).currentLeader().leaderEpoch()).isEqualTo(3);
        assertThat(fixture.asked()
                        .answer(ProduceResponse.class)
                        .data()
                        .nodeEndpoints()
                        .find(7)
                        .host())
                .isEqualTo("host");
    }

    @Test
    void appendsToATransactionWithTheGuardOfItsVerification() {
        VerificationGuard guard = new VerificationGuard();
        CompletableFuture<Verified> verified = new CompletableFuture<>();
        verification = () -> verified;

        handle(request(12, -1, partition(0, transactional("a"))));
        assertThat(appended).isEmpty();
        assertThat(fixture.asked().answers()).isEmpty();
        verified.complete(new Verified(Map.of(new TopicPartition("t", 0), guard), Map.of()));

        assertThat(appended).extracting(PartitionRecords::guard).containsExactly(guard);
        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(operations).containsExactly(TransactionSupportedOperation.ADD_PARTITION);
    }

    @Test
    void refusesWhatIsNotInTheTransactionAndAppendsTheRest() {
        fixture.know("u", OTHER_ID);
        refuse(new TopicPartition("t", 0), Errors.INVALID_TXN_STATE);
        ProduceRequest request = request(11, -1, partition(0, transactional("a")));
        request.data()
                .topicData()
                .add(new TopicProduceData().setName("u").setPartitionData(List.of(partition(0, transactional("b")))));

        handle(request);

        assertThat(answered())
                .extracting(PartitionProduceResponse::errorCode, PartitionProduceResponse::errorMessage)
                .containsExactly(
                        tuple(Errors.INVALID_TXN_STATE.code(), "Partition was not added to the transaction"),
                        tuple(Errors.NONE.code(), null));
        assertThat(appended).extracting(one -> one.partition().topic()).containsExactly("u");
        assertThat(operations).containsExactly(TransactionSupportedOperation.GENERIC_ERROR_SUPPORTED);
    }

    @Test
    void tellsAnErrorThatOldClientsDoNotTryAgainInWordsThatTheyDo() {
        refuse(new TopicPartition("t", 0), Errors.CONCURRENT_TRANSACTIONS);
        handle(request(10, -1, partition(0, transactional("a"))));
        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.NOT_ENOUGH_REPLICAS.code());

        handle(request(12, -1, partition(0, transactional("a"))));
        assertThat(answered().get(0).errorCode()).isEqualTo(Errors.CONCURRENT_TRANSACTIONS.code());

        refuse(new TopicPartition("t", 0), Errors.NOT_COORDINATOR);
        handle(request(12, -1, partition(0, transactional("a"))));
        assertThat(answered().get(0).errorMessage())
                .isEqualTo("Unable to verify the partition has been added to the transaction."
                        + " Underlying error: NOT_COORDINATOR");
        assertThat(appended).isEmpty();
    }

    @Test
    void refusesTheWholeRequestForATransactionalIdOfAnother() {
        fixture.authorization().deny("tx");

        handle(request(11, -1, partition(0, records("a")), partition(0, transactional("b"))));

        assertThat(fixture.asked().answer(Throwable.class)).isInstanceOf(TransactionalIdAuthorizationException.class);
        assertThat(appended).isEmpty();
    }

    @Test
    void faultInALateAnswerStaysWithItsRequest() {
        isSlow = true;
        IllegalArgumentException fault = new IllegalArgumentException("cannot be written");

        handle(request(9, -1, partition(0, records("a"))));
        fixture.asked().failResponses(fault);
        waiting.get(0).acknowledged(results(1));

        assertThat(fixture.asked().answers()).containsExactly(fault);
    }
}
