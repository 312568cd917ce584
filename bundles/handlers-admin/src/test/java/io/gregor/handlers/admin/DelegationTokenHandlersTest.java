package io.gregor.handlers.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.RequestHandler;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData.CreatableRenewers;
import org.apache.kafka.common.message.DescribeDelegationTokenRequestData;
import org.apache.kafka.common.message.DescribeDelegationTokenRequestData.DescribeDelegationTokenOwner;
import org.apache.kafka.common.message.ExpireDelegationTokenRequestData;
import org.apache.kafka.common.message.RenewDelegationTokenRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.CreateDelegationTokenRequest;
import org.apache.kafka.common.requests.CreateDelegationTokenResponse;
import org.apache.kafka.common.requests.DescribeDelegationTokenRequest;
import org.apache.kafka.common.requests.DescribeDelegationTokenResponse;
import org.apache.kafka.common.requests.ExpireDelegationTokenRequest;
import org.apache.kafka.common.requests.ExpireDelegationTokenResponse;
import org.apache.kafka.common.requests.RenewDelegationTokenRequest;
import org.apache.kafka.common.requests.RenewDelegationTokenResponse;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.token.delegation.DelegationToken;
import org.apache.kafka.common.security.token.delegation.TokenInformation;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.apache.kafka.security.DelegationTokenManager;
import org.apache.kafka.server.config.DelegationTokenManagerConfigs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelegationTokenHandlersTest {
    private static final KafkaPrincipal ALICE = new KafkaPrincipal("User", "alice");
    private static final KafkaPrincipal BOB = new KafkaPrincipal("User", "bob");
    private static final byte[] HMAC = "hmac".getBytes(StandardCharsets.UTF_8);

    private final FakeAuthorization rights = new FakeAuthorization();
    private final ForwardedOnes forwarded = new ForwardedOnes();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aTokenIsMadeByTheController(int version) {
        FakeRequest request = known(create(version, null, "User"));

        new CreateDelegationTokenHandler(rights, forwarded).handle(request);

        assertThat(forwarded.requests()).containsExactly(request);
        assertThat(request.answers()).isEmpty();
    }

    @Test
    void aTokenForAnotherNeedsTheRight() {
        FakeRequest request = known(create(3, "bob", "User"));

        new CreateDelegationTokenHandler(rights.deny("CREATE_TOKENS USER User:bob"), forwarded).handle(request);

        var answer = request.answer(CreateDelegationTokenResponse.class).data();
        assertThat(answer.errorCode()).isEqualTo(Errors.DELEGATION_TOKEN_AUTHORIZATION_FAILED.code());
        assertThat(answer.principalName()).isEqualTo("bob");
        assertThat(answer.tokenRequesterPrincipalName()).isEqualTo("alice");
        assertThat(answer.expiryTimestampMs()).isEqualTo(-1);
        assertThat(forwarded.requests()).isEmpty();
    }

    @Test
    void renewersAreUsers() {
        FakeRequest request = known(create(3, null, "Group"));

        new CreateDelegationTokenHandler(rights, forwarded).handle(request);

        assertThat(request.answer(CreateDelegationTokenResponse.class).error())
                .isEqualTo(Errors.INVALID_PRINCIPAL_TYPE);
    }

    @Test
    void nobodyUnknownIsAnswered() {
        FakeRequest create = unknown(create(3, null, "User"));
        FakeRequest renew =
                unknown(new RenewDelegationTokenRequest.Builder(new RenewDelegationTokenRequestData().setHmac(HMAC))
                        .build((short) 2));
        FakeRequest expire =
                unknown(new ExpireDelegationTokenRequest.Builder(new ExpireDelegationTokenRequestData().setHmac(HMAC))
                        .build((short) 2));
        FakeRequest describe = unknown(describe(3, null));

        new CreateDelegationTokenHandler(rights, forwarded).handle(create);
        new RenewDelegationTokenHandler(forwarded).handle(renew);
        new ExpireDelegationTokenHandler(forwarded).handle(expire);
        new DescribeDelegationTokenHandler(rights, tokens("secret")).handle(describe);

        Errors refusal = Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED;
        assertThat(create.answer(CreateDelegationTokenResponse.class).error()).isEqualTo(refusal);
        assertThat(renew.answer(RenewDelegationTokenResponse.class).error()).isEqualTo(refusal);
        assertThat(renew.answer(RenewDelegationTokenResponse.class).expiryTimestamp())
                .isEqualTo(-1);
        assertThat(expire.answer(ExpireDelegationTokenResponse.class).error()).isEqualTo(refusal);
        assertThat(describe.answer(DescribeDelegationTokenResponse.class).error())
                .isEqualTo(refusal);
        assertThat(forwarded.requests()).isEmpty();
    }

    @Test
    void tokensAreRenewedAndExpiredByTheController() {
        FakeRequest renew =
                known(new RenewDelegationTokenRequest.Builder(new RenewDelegationTokenRequestData().setHmac(HMAC))
                        .build((short) 1));
        FakeRequest expire =
                known(new ExpireDelegationTokenRequest.Builder(new ExpireDelegationTokenRequestData().setHmac(HMAC))
                        .build((short) 1));

        new RenewDelegationTokenHandler(forwarded).handle(renew);
        new ExpireDelegationTokenHandler(forwarded).handle(expire);

        assertThat(forwarded.requests()).containsExactly(renew, expire);
    }

    @Test
    void withoutSecretKeyThereAreNoTokens() {
        assertThat(described(new DescribeDelegationTokenHandler(rights, tokens("")), describe(3, null))
                        .error())
                .isEqualTo(Errors.DELEGATION_TOKEN_AUTH_DISABLED);
    }

    @Test
    void ofTheOwnersAskedForTheVisibleTokensAreShown() {
        rights.deny("DESCRIBE DELEGATION_TOKEN of-carol").deny("DESCRIBE_TOKENS USER User:carol");
        rights.deny("DESCRIBE DELEGATION_TOKEN of-bob");
        DescribeDelegationTokenHandler handler = new DescribeDelegationTokenHandler(rights, tokens("secret"));

        assertThat(ids(described(handler, describe(3, null)))).containsExactlyInAnyOrder("of-alice", "of-bob");
        assertThat(ids(described(handler, describe(1, List.of(ALICE))))).containsExactly("of-alice");
        assertThat(ids(described(handler, describe(2, List.of(BOB))))).containsExactly("of-bob");
        assertThat(ids(described(handler, describe(3, List.of())))).isEmpty();

        rights.deny("DESCRIBE_TOKENS USER User:bob");
        assertThat(ids(described(handler, describe(3, null)))).containsExactly("of-alice");
    }

    @Test
    void aRenewerSeesTheToken() {
        rights.deny("DESCRIBE DELEGATION_TOKEN of-bob").deny("DESCRIBE_TOKENS USER User:bob");
        rights.deny("DESCRIBE DELEGATION_TOKEN of-carol").deny("DESCRIBE_TOKENS USER User:carol");
        DelegationTokenManager tokens = tokens("secret");
        add(tokens, "renewed-by-alice", BOB, List.of(ALICE));

        var shown = described(new ControllerDescribeDelegationTokenHandler(rights, tokens), describe(3, null));

        assertThat(ids(shown)).containsExactlyInAnyOrder("of-alice", "renewed-by-alice");
    }

    private DescribeDelegationTokenResponse described(RequestHandler handler, AbstractRequest body) {
        FakeRequest request = known(body);
        handler.handle(request);
        return request.answer(DescribeDelegationTokenResponse.class);
    }

    private static List<String> ids(DescribeDelegationTokenResponse answer) {
        return answer.tokens().stream()
                .map(token -> token.tokenInfo().tokenId())
                .toList();
    }

    private static DelegationTokenManager tokens(String secretKey) {
        Map<String, Object> settings = secretKey.isEmpty()
                ? Map.of()
                : Map.of(DelegationTokenManagerConfigs.DELEGATION_TOKEN_SECRET_KEY_CONFIG, secretKey);
        DelegationTokenManager tokens = new DelegationTokenManager(
                new DelegationTokenManagerConfigs(
                        new AbstractConfig(DelegationTokenManagerConfigs.CONFIG_DEF, settings, false)),
                new DelegationTokenCache(ScramMechanism.mechanismNames()));
        if (tokens.isEnabled()) {
            add(tokens, "of-alice", ALICE, List.of());
            add(tokens, "of-bob", BOB, List.of());
            add(tokens, "of-carol", new KafkaPrincipal("User", "carol"), List.of());
        }
        return tokens;
    }

    private static void add(
            DelegationTokenManager tokens, String id, KafkaPrincipal owner, List<KafkaPrincipal> renewers) {
        try {
            tokens.updateToken(new DelegationToken(
                    new TokenInformation(id, owner, owner, renewers, 1, 2, 3), id.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException fault) {
            throw new AssertionError(fault);
        }
    }

    private static AbstractRequest create(int version, @Nullable String owner, String renewerType) {
        CreateDelegationTokenRequestData data = new CreateDelegationTokenRequestData();
        data.renewers()
                .add(new CreatableRenewers().setPrincipalType(renewerType).setPrincipalName("bob"));
        if (owner != null) {
            data.setOwnerPrincipalType("User").setOwnerPrincipalName(owner);
        }
        return new CreateDelegationTokenRequest.Builder(data).build((short) version);
    }

    private static AbstractRequest describe(int version, @Nullable List<KafkaPrincipal> owners) {
        DescribeDelegationTokenRequestData data = new DescribeDelegationTokenRequestData()
                .setOwners(
                        owners == null
                                ? null
                                : owners.stream()
                                        .map(owner -> new DescribeDelegationTokenOwner()
                                                .setPrincipalType(owner.getPrincipalType())
                                                .setPrincipalName(owner.getName()))
                                        .toList());
        return new DescribeDelegationTokenRequest(data, (short) version);
    }

    private static FakeRequest known(AbstractRequest body) {
        return FakeRequest.from(ALICE, SecurityProtocol.SASL_SSL, body);
    }

    private static FakeRequest unknown(AbstractRequest body) {
        return FakeRequest.from(KafkaPrincipal.ANONYMOUS, SecurityProtocol.SSL, body);
    }
}
