package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.itest.RawClient;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who comes in over SASL and who does not: frames as no client sends them, tokens, and users that change meanwhile. */
class SaslLoginsIT {
    private static final String LISTENER = "listener.name.sasl_plaintext.";
    private static final String OAUTHBEARER = LISTENER + "oauthbearer.";
    private static final String USERS_KEY = LISTENER + "plain.sasl.jaas.config";
    private static final String MECHANISMS_KEY = LISTENER + "sasl.enabled.mechanisms";
    private static final int LARGEST_FRAME = 524_288;

    @TempDir
    private static Path home;

    private static TokenIssuer issuer;
    private static SecuredNode node;

    @BeforeAll
    static void start() throws Exception {
        issuer = new TokenIssuer();
        URI jwks = issuer.jwks(home.resolve("jwks.json")).toUri();
        node = SecuredNode.start(
                home.resolve("node"),
                "-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=" + jwks,
                OAUTHBEARER + "sasl.server.callback.handler.class="
                        + "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler",
                OAUTHBEARER + "sasl.oauthbearer.jwks.endpoint.url=" + jwks,
                OAUTHBEARER + "sasl.oauthbearer.expected.audience=" + TokenIssuer.AUDIENCE,
                OAUTHBEARER + "sasl.oauthbearer.expected.issuer=" + TokenIssuer.ISSUER,
                OAUTHBEARER + "sasl.oauthbearer.clock.skew.seconds=0");
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void framesInOnePacketAreAnsweredInTheirOrder() throws IOException {
        List<AbstractRequest> requests = List.of(
                SaslWire.handshakeRequest("PLAIN", 1),
                SaslWire.tokenRequest(SaslWire.plain("alice", "alice-secret")),
                SaslWire.metadataRequest(),
                SaslWire.metadataRequest());
        try (SaslWire wire = connect()) {
            wire.client().sendBytes(inOnePacket(requests));
            for (int index = 0; index < requests.size(); index++) {
                AbstractRequest request = requests.get(index);
                assertThat(RawClient.errors(
                                request.apiKey(),
                                request.version(),
                                index,
                                wire.client().readFrame()))
                        .isEmpty();
            }
        }
    }

    @Test
    void anOldClientSendsTokensWithoutHeaders() throws IOException {
        try (SaslWire wire = connect()) {
            wire.client().call(SaslWire.handshakeRequest("PLAIN", 0), 1);
            wire.client().sendFrame(SaslWire.plain("alice", "alice-secret"));
            assertThat(wire.client().readFrame().remaining()).isZero();
            assertThat(wire.isServed()).isTrue();
        }
    }

    @Test
    void anOldClientWithAWrongPasswordIsCutOff() throws IOException {
        try (SaslWire wire = connect()) {
            wire.client().call(SaslWire.handshakeRequest("PLAIN", 0), 1);
            wire.client().sendFrame(SaslWire.plain("alice", "wrong"));
            assertThat(wire.client().isClosedByPeer()).isTrue();
        }
    }

    @Test
    void theLargestTokenIsReadAndRefused() throws IOException {
        int around =
                RawClient.bytes(SaslWire.tokenRequest(new byte[LARGEST_FRAME - 100]), 2).length - (LARGEST_FRAME - 100);
        try (SaslWire wire = connect()) {
            wire.handshake("PLAIN");
            SaslAuthenticateResponse answer = wire.authenticate(new byte[LARGEST_FRAME - around]);
            assertThat(answer.error()).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED);
            assertThat(wire.client().isClosedByPeer()).isTrue();
        }
    }

    @Test
    void aLargerOneIsCutOff() throws IOException {
        try (SaslWire wire = connect()) {
            wire.handshake("PLAIN");
            wire.client()
                    .sendBytes(ByteBuffer.allocate(4).putInt(LARGEST_FRAME + 1).array());
            assertThat(wire.client().isClosedByPeer()).isTrue();
        }
    }

    @Test
    void whoseMechanismIsNotThereLearnsWhichAre() throws IOException {
        try (SaslWire wire = connect()) {
            AbstractRequest request = SaslWire.handshakeRequest("NOPE", 1);
            wire.client().send(request, 1);
            assertThat(wire.client()
                            .receive(ApiKeys.SASL_HANDSHAKE, (short) 1, 1)
                            .toString())
                    .contains(SecuredNode.MECHANISMS);
            assertThat(wire.client().isClosedByPeer()).isTrue();
        }
    }

    @Test
    void aUserThatIsNotThereIsRefused() {
        Map<String, Object> settings =
                node.clients(SecurityProtocol.SASL_PLAINTEXT, "SCRAM-SHA-512", "nobody", "nothing");
        try (Admin admin = Admin.create(settings)) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get())
                    .hasCauseInstanceOf(SaslAuthenticationException.class)
                    .hasMessageContaining("invalid credentials with SASL mechanism SCRAM-SHA-512");
        }
    }

    @Test
    void aSignedTokenIsTakenForItsLifetime() throws Exception {
        try (SaslWire wire = connect()) {
            assertThat(wire.handshake("OAUTHBEARER")).isEqualTo(Errors.NONE);
            SaslAuthenticateResponse answer =
                    wire.authenticate(TokenIssuer.initialResponse(issuer.token("alice", TokenIssuer.AUDIENCE, 60)));
            assertThat(answer.error()).isEqualTo(Errors.NONE);
            assertThat(answer.sessionLifetimeMs()).isBetween(20_000L, 60_000L);
            assertThat(wire.isServed()).isTrue();
        }
    }

    @Test
    void tokensOfOthersAndOldOnesAreRefused() throws Exception {
        TokenIssuer stranger = new TokenIssuer();
        for (String token : List.of(
                issuer.token("alice", TokenIssuer.AUDIENCE, -5),
                issuer.token("alice", "another", 60),
                stranger.token("alice", TokenIssuer.AUDIENCE, 60),
                TokenIssuer.unsigned("alice", 60))) {
            try (SaslWire wire = connect()) {
                wire.handshake("OAUTHBEARER");
                SaslAuthenticateResponse told = wire.authenticate(TokenIssuer.initialResponse(token));
                assertThat(new String(told.saslAuthBytes(), StandardCharsets.UTF_8))
                        .contains("invalid_token");
                assertThat(wire.authenticate((byte) 1).error()).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED);
                assertThat(wire.client().isClosedByPeer()).isTrue();
            }
        }
    }

    @Test
    void usersAndMechanismsChangeWhileOthersStay() throws Exception {
        try (SaslWire bob = connect();
                Admin admin = Admin.create(node.clients())) {
            assertThat(bob.login("bob", "bob-secret").error()).isEqualTo(Errors.NONE);

            alter(admin, USERS_KEY, plainUsers("user_carol=\"carol-secret\""));
            assertThat(loginOf("bob", "bob-secret")).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED);
            assertThat(loginOf("carol", "carol-secret")).isEqualTo(Errors.NONE);

            assertThatThrownBy(() -> alter(admin, USERS_KEY, "no.such.Module required user_x=\"hidden-secret\""))
                    .hasMessageContaining(USERS_KEY + "=[hidden] is wrong")
                    .hasMessageNotContaining("hidden-secret");
            assertThatThrownBy(() -> alter(admin, MECHANISMS_KEY, "PLAIN,PLAN"))
                    .hasMessageContaining("sasl.enabled.mechanisms=PLAN (listener=SASL_PLAINTEXT)");
            assertThat(loginOf("carol", "carol-secret")).isEqualTo(Errors.NONE);

            alter(admin, MECHANISMS_KEY, "PLAIN");
            try (SaslWire wire = connect()) {
                assertThat(wire.handshake("OAUTHBEARER")).isEqualTo(Errors.UNSUPPORTED_SASL_MECHANISM);
            }
            delete(admin, USERS_KEY);
            delete(admin, MECHANISMS_KEY);
            assertThat(loginOf("bob", "bob-secret")).isEqualTo(Errors.NONE);
            try (SaslWire wire = connect()) {
                assertThat(wire.handshake("OAUTHBEARER")).isEqualTo(Errors.NONE);
            }
            assertThat(bob.isServed()).isTrue();
        }
        assertThat(node.process().logText()).doesNotContain("hidden-secret").doesNotContain("carol-secret");
    }

    private static SaslWire connect() throws IOException {
        return SaslWire.connect(node.port(SecurityProtocol.SASL_PLAINTEXT));
    }

    private static Errors loginOf(String user, String password) throws IOException {
        try (SaslWire wire = connect()) {
            return wire.login(user, password).error();
        }
    }

    private static byte[] inOnePacket(List<AbstractRequest> requests) {
        ByteBuffer packet = ByteBuffer.allocate(4_096);
        for (int index = 0; index < requests.size(); index++) {
            byte[] body = RawClient.bytes(requests.get(index), index);
            packet.putInt(body.length).put(body);
        }
        byte[] bytes = new byte[packet.flip().remaining()];
        packet.get(bytes);
        return bytes;
    }

    private static String plainUsers(String users) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required " + users + ";";
    }

    private static void alter(Admin admin, String key, String value) throws Exception {
        change(admin, new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET));
    }

    private static void delete(Admin admin, String key) throws Exception {
        change(admin, new AlterConfigOp(new ConfigEntry(key, ""), AlterConfigOp.OpType.DELETE));
    }

    /** When this returns the change is switched on. */
    private static void change(Admin admin, AlterConfigOp change) throws Exception {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        admin.incrementalAlterConfigs(Map.of(broker, List.of(change))).all().get();
    }
}
