package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeAuthorization;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.message.CreateDelegationTokenResponseData;
import org.apache.kafka.common.message.ExpireDelegationTokenRequestData;
import org.apache.kafka.common.message.ExpireDelegationTokenResponseData;
import org.apache.kafka.common.message.RenewDelegationTokenRequestData;
import org.apache.kafka.common.message.RenewDelegationTokenResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateDelegationTokenRequest;
import org.apache.kafka.common.requests.CreateDelegationTokenResponse;
import org.apache.kafka.common.requests.ExpireDelegationTokenRequest;
import org.apache.kafka.common.requests.ExpireDelegationTokenResponse;
import org.apache.kafka.common.requests.RenewDelegationTokenRequest;
import org.apache.kafka.common.requests.RenewDelegationTokenResponse;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DelegationTokenHandlersTest {
    private static final byte[] HMAC = {1, 2, 3};

    private final FakeAuthorization rights = new FakeAuthorization();
    private final FakeController controller = new FakeController()
            .on("createDelegationToken", arguments -> new CreateDelegationTokenResponseData().setTokenId("made"))
            .on("renewDelegationToken", arguments -> new RenewDelegationTokenResponseData().setExpiryTimestampMs(7))
            .on("expireDelegationToken", arguments -> new ExpireDelegationTokenResponseData().setExpiryTimestampMs(8));
    private final ControllerCalls calls = new ControllerCalls(controller.controller(), rights);

    @Test
    void whatBrokersForwardIsDoneOverAnyConnection() {
        FakeRequest create = new FakeRequest(create(null)).forwarded();
        FakeRequest renew = new FakeRequest(renew()).forwarded();
        FakeRequest expire = new FakeRequest(expire()).forwarded();

        new CreateDelegationTokenHandler(calls).handle(create.request());
        new RenewDelegationTokenHandler(calls).handle(renew.request());
        new ExpireDelegationTokenHandler(calls).handle(expire.request());

        assertThat(create.answer(CreateDelegationTokenResponse.class).data().tokenId())
                .isEqualTo("made");
        assertThat(renew.answer(RenewDelegationTokenResponse.class).expiryTimestamp())
                .isEqualTo(7);
        assertThat(expire.answer(ExpireDelegationTokenResponse.class).expiryTimestamp())
                .isEqualTo(8);
    }

    @Test
    void whoComesUnknownIsRefused() {
        FakeRequest create = new FakeRequest(create(null));
        FakeRequest renew = new FakeRequest(renew());
        FakeRequest expire = new FakeRequest(expire());

        new CreateDelegationTokenHandler(calls).handle(create.request());
        new RenewDelegationTokenHandler(calls).handle(renew.request());
        new ExpireDelegationTokenHandler(calls).handle(expire.request());

        Errors refusal = Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED;
        assertThat(create.answer(CreateDelegationTokenResponse.class).error()).isEqualTo(refusal);
        assertThat(renew.answer(RenewDelegationTokenResponse.class).error()).isEqualTo(refusal);
        assertThat(renew.answer(RenewDelegationTokenResponse.class).expiryTimestamp())
                .isEqualTo(-1);
        assertThat(expire.answer(ExpireDelegationTokenResponse.class).error()).isEqualTo(refusal);
    }

    @Test
    void aTokenForAnotherNeedsTheRightHereToo() {
        var alice = io.gregor.testing.FakeRequest.from(
                new KafkaPrincipal("User", "alice"), SecurityProtocol.SASL_SSL, create("bob"));

        rights.deny("CREATE_TOKENS USER User:bob");
        new CreateDelegationTokenHandler(calls).handle(alice);

        assertThat(alice.answer(CreateDelegationTokenResponse.class).error())
                .isEqualTo(Errors.DELEGATION_TOKEN_AUTHORIZATION_FAILED);
    }

    private static CreateDelegationTokenRequest create(@Nullable String owner) {
        CreateDelegationTokenRequestData data = new CreateDelegationTokenRequestData();
        if (owner != null) {
            data.setOwnerPrincipalType("User").setOwnerPrincipalName(owner);
        }
        return new CreateDelegationTokenRequest.Builder(data).build((short) 3);
    }

    private static RenewDelegationTokenRequest renew() {
        return new RenewDelegationTokenRequest.Builder(new RenewDelegationTokenRequestData().setHmac(HMAC))
                .build((short) 2);
    }

    private static ExpireDelegationTokenRequest expire() {
        return new ExpireDelegationTokenRequest.Builder(new ExpireDelegationTokenRequestData().setHmac(HMAC))
                .build((short) 2);
    }
}
