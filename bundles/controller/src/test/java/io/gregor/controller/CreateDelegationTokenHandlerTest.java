package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeAuthorization;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.message.CreateDelegationTokenResponseData;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.CreateDelegationTokenRequest;
import org.apache.kafka.common.requests.CreateDelegationTokenResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreateDelegationTokenHandlerTest {
    private final FakeController controller = new FakeController()
            .on("createDelegationToken", arguments -> new CreateDelegationTokenResponseData()
                    .setPrincipalName("alice")
                    .setTokenRequesterPrincipalType("User")
                    .setTokenRequesterPrincipalName("alice"));

    @ParameterizedTest
    @ValueSource(shorts = {1, 2, 3})
    void answersInEveryVersion(short version) {
        FakeRequest request = new FakeRequest(
                        new CreateDelegationTokenRequest.Builder(new CreateDelegationTokenRequestData()).build(version))
                .forwarded();

        new CreateDelegationTokenHandler(new ControllerCalls(controller.controller(), new FakeAuthorization()))
                .handle(request.request());

        CreateDelegationTokenResponseData answer =
                request.answer(CreateDelegationTokenResponse.class).data();
        assertThat(answer.principalName()).isEqualTo("alice");
        assertThat(answer.tokenRequesterPrincipalName()).isEqualTo(version < 3 ? "" : "alice");
        assertThat(MessageUtil.toByteBufferAccessor(answer, version).buffer().remaining())
                .isPositive();
    }
}
