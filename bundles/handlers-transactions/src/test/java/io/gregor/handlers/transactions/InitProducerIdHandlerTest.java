package io.gregor.handlers.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.junit.jupiter.api.Test;

class InitProducerIdHandlerTest {
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final InitProducerIdRequestData data =
            new InitProducerIdRequestData().setTransactionalId("tx").setTransactionTimeoutMs(5_000);

    private FakeRequest handle(int version) {
        FakeRequest request = FakeRequest.parsed(ApiKeys.INIT_PRODUCER_ID, version, data);
        new InitProducerIdHandler(coordinator, authorization).handle(request);
        return request;
    }

    private static InitProducerIdResponseData answer(FakeRequest request) {
        return request.answer(InitProducerIdResponse.class).data();
    }

    @Test
    void givesAProducerItsIdAndEpoch() {
        InitProducerIdResponseData answer = answer(handle(4));

        assertThat(answer.producerId()).isEqualTo(9);
        assertThat(answer.producerEpoch()).isEqualTo((short) 4);
        assertThat(coordinator.asked()).containsExactly("init tx 5000 2pc=false had=nothing");
    }

    @Test
    void whatAProducerHasHadIsToldOnlyWhole() {
        data.setProducerId(9).setProducerEpoch((short) 3);
        handle(4);
        assertThat(coordinator.asked()).containsExactly("init tx 5000 2pc=false had=9/3");

        data.setProducerEpoch((short) -1);
        assertThat(handle(4).answer()).isInstanceOf(InvalidRequestException.class);
        assertThat(coordinator.asked()).hasSize(1);
    }

    @Test
    void anOldClientIsToldOfAnotherEpochInsteadOfFencing() {
        coordinator.answerWith(Errors.PRODUCER_FENCED);

        assertThat(answer(handle(3)).errorCode()).isEqualTo(Errors.INVALID_PRODUCER_EPOCH.code());
        assertThat(answer(handle(4)).errorCode()).isEqualTo(Errors.PRODUCER_FENCED.code());
    }

    @Test
    void needsTheTransactionalIdAndARightOfItsOwnForTwoPhases() {
        authorization.deny("TWO_PHASE_COMMIT TRANSACTIONAL_ID tx");
        assertThat(handle(6).answer()).isInstanceOf(InitProducerIdResponseData.class);

        data.setEnable2Pc(true);
        assertThat(handle(6).answer()).isInstanceOf(TransactionalIdAuthorizationException.class);

        data.setEnable2Pc(false);
        authorization.deny("WRITE TRANSACTIONAL_ID tx");
        assertThat(handle(6).answer()).isInstanceOf(TransactionalIdAuthorizationException.class);
        assertThat(coordinator.asked()).hasSize(1);
    }

    @Test
    void anIdempotentProducerNeedsTheClusterOrATopic() {
        data.setTransactionalId(null);
        handle(4);
        assertThat(coordinator.asked()).containsExactly("init null 5000 2pc=false had=nothing");

        authorization.deny("IDEMPOTENT_WRITE kafka-cluster");
        assertThat(handle(4).answer()).isInstanceOf(ClusterAuthorizationException.class);
    }
}
