package io.gregor.handlers.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.EndTxnResponse;
import org.junit.jupiter.api.Test;

class EndTxnHandlerTest {
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final FakeCoordinator coordinator = new FakeCoordinator();

    private FakeRequest handle(int version, boolean isCommitted) {
        EndTxnRequestData data = new EndTxnRequestData()
                .setTransactionalId("tx")
                .setProducerId(9)
                .setProducerEpoch((short) 3)
                .setCommitted(isCommitted);
        FakeRequest request = FakeRequest.parsed(ApiKeys.END_TXN, version, data);
        new EndTxnHandler(coordinator, authorization).handle(request);
        return request;
    }

    private static EndTxnResponseData data(FakeRequest request) {
        return request.answer(EndTxnResponse.class).data();
    }

    @Test
    void newClientsGoOnWithWhatTheEndGaveThem() {
        EndTxnResponseData answer = data(handle(5, true));

        assertThat(answer.producerId()).isEqualTo(9);
        assertThat(answer.producerEpoch()).isEqualTo((short) 4);
        assertThat(coordinator.asked()).containsExactly("end tx 9/3 COMMIT as 2");
    }

    @Test
    void olderClientsKeepWhatTheyHave() {
        EndTxnResponseData answer = data(handle(4, false));

        assertThat(answer.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(answer.producerId()).isEqualTo(-1);
        assertThat(coordinator.asked()).containsExactly("end tx 9/3 ABORT as 0");
    }

    @Test
    void anOldClientIsToldOfAnotherEpochInsteadOfFencing() {
        coordinator.answerWith(Errors.PRODUCER_FENCED);

        assertThat(data(handle(1, true)).errorCode()).isEqualTo(Errors.INVALID_PRODUCER_EPOCH.code());
        assertThat(data(handle(2, true)).errorCode()).isEqualTo(Errors.PRODUCER_FENCED.code());
    }

    @Test
    void needsTheTransactionalId() {
        authorization.deny("WRITE TRANSACTIONAL_ID tx");

        assertThat(handle(5, true).answer()).isInstanceOf(TransactionalIdAuthorizationException.class);
        assertThat(coordinator.asked()).isEmpty();
    }
}
