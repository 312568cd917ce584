package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeAuthorization;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.UnregisterBrokerRequest;
import org.apache.kafka.common.requests.UnregisterBrokerResponse;
import org.junit.jupiter.api.Test;

class UnregisterBrokerHandlerTest {
    @Test
    void tellsTheControllersReasonAndNoClassName() {
        FakeRequest request = new FakeRequest(
                new UnregisterBrokerRequest(new UnregisterBrokerRequestData().setBrokerId(99), (short) 0));
        FakeController controller = new FakeController()
                .failing(
                        "unregisterBroker",
                        new BrokerIdNotRegisteredException("Broker ID 99 is not currently registered"));

        new UnregisterBrokerHandler(new ControllerCalls(controller.controller(), new FakeAuthorization()))
                .handle(request.request());

        var answer = request.answer(UnregisterBrokerResponse.class).data();
        assertThat(answer.errorCode()).isEqualTo(Errors.BROKER_ID_NOT_REGISTERED.code());
        assertThat(answer.errorMessage()).isEqualTo("Broker ID 99 is not currently registered");
    }
}
