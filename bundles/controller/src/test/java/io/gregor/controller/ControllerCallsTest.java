package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeRequest;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.UnregisterBrokerResponseData;
import org.apache.kafka.common.requests.UnregisterBrokerRequest;
import org.apache.kafka.common.requests.UnregisterBrokerResponse;
import org.junit.jupiter.api.Test;

class ControllerCallsTest {
    private final FakeRequest request = new FakeRequest(
            new UnregisterBrokerRequest.Builder(new UnregisterBrokerRequestData().setBrokerId(1)).build());

    @Test
    void answersWithTheFaultWhenTheResponseCannotBeSent() {
        UnsupportedVersionException fault = new UnsupportedVersionException("no such field in this version");
        request.failResponses(fault);

        ControllerCalls.answer(
                request,
                CompletableFuture.completedFuture("done"),
                done -> new UnregisterBrokerResponse(new UnregisterBrokerResponseData()));

        assertThat(request.answers()).containsExactly(fault);
    }
}
