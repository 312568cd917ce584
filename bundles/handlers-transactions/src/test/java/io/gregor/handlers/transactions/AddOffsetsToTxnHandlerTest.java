package io.gregor.handlers.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddOffsetsToTxnResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.junit.jupiter.api.Test;

class AddOffsetsToTxnHandlerTest {
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final FakeCoordinator coordinator = new FakeCoordinator();

    private FakeRequest handle(int version) {
        AddOffsetsToTxnRequestData data = new AddOffsetsToTxnRequestData()
                .setTransactionalId("tx")
                .setGroupId("group")
                .setProducerId(9)
                .setProducerEpoch((short) 4);
        FakeRequest request = FakeRequest.parsed(ApiKeys.ADD_OFFSETS_TO_TXN, version, data);
        GroupCoordinator groups = Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> 17);
        new AddOffsetsToTxnHandler(coordinator, groups, authorization).handle(request);
        return request;
    }

    @Test
    void addsThePartitionOfTheGroupsOffsets() {
        assertThat(error(3)).isEqualTo(Errors.NONE);

        assertThat(coordinator.asked()).containsExactly("add tx 9/4 [__consumer_offsets-17] as 0");
    }

    @Test
    void anOldClientIsToldOfAnotherEpochInsteadOfFencing() {
        coordinator.answerWith(Errors.PRODUCER_FENCED);

        assertThat(error(1)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(error(2)).isEqualTo(Errors.PRODUCER_FENCED);
    }

    @Test
    void needsTheTransactionalIdThenTheGroup() {
        authorization.deny("group");
        assertThat(handle(3).answer()).isInstanceOf(GroupAuthorizationException.class);

        authorization.deny("tx");
        assertThat(handle(3).answer()).isInstanceOf(TransactionalIdAuthorizationException.class);
        assertThat(coordinator.asked()).isEmpty();
    }

    @Test
    void whatTheCoordinatorThrowsIsTheAnswer() {
        coordinator.failWith(new CoordinatorNotAvailableException("away"));

        assertThat(error(3)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    }

    private Errors error(int version) {
        return Errors.forCode(
                handle(version).answer(AddOffsetsToTxnResponse.class).data().errorCode());
    }
}
