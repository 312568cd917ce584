package io.gregor.security.sasl.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.testing.Fake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.ReauthenticationContext;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.SaslAuthenticateRequest;
import org.apache.kafka.common.requests.SaslHandshakeRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SaslConnectionTest {
    private final FakeLayer client = new FakeLayer();
    private final FakeConnection connection = new FakeConnection();
    private final ListenerSasl listener = TestListener.plain("connections.max.reauth.ms", 60_000L);
    private Authenticator sasl = listener.open(client.layer(), connection);

    @AfterEach
    void close() throws IOException {
        sasl.close();
        listener.close();
        client.close();
    }

    @Test
    void knowsTheClientWhenItsAnswerIsSent() throws IOException {
        send(handshake("PLAIN", (short) 1));
        goOn();
        send(token("alice", "alice-secret"));
        sasl.authenticate();
        assertThat(connection.takeStep()).isTrue();
        assertThat(sasl.complete()).isFalse();
        client.room(3);
        sasl.authenticate();
        assertThat(sasl.complete()).isFalse();
        client.room(1_000);
        sasl.authenticate();
        assertThat(sasl.complete()).isTrue();
        assertThat(sasl.principal()).hasToString("User:alice");
        assertThat(sasl.serverSessionExpirationTimeNanos()).isNotNull();
    }

    @Test
    void leavesTheFirstRequestToTheFrameReader() throws IOException {
        send(handshake("PLAIN", (short) 1));
        send(token("alice", "alice-secret"));
        send(new ApiVersionsRequest.Builder().build((short) 3));
        int requestBytes = 4 + bytes(new ApiVersionsRequest.Builder().build((short) 3)).length;
        goOn();
        assertThat(sasl.complete()).isTrue();
        assertThat(client.arrivedBytes()).isEqualTo(requestBytes);
    }

    @Test
    void takesTokensWithoutHeadersAfterTheFirstHandshakeVersion() throws IOException {
        send(handshake("PLAIN", (short) 0));
        goOn();
        assertThat(receive(ApiKeys.SASL_HANDSHAKE, (short) 0)).isEqualTo(Errors.NONE);
        client.arriveFrame("\0alice\0alice-secret".getBytes(StandardCharsets.UTF_8));
        goOn();
        assertThat(sasl.complete()).isTrue();
    }

    @Test
    void answersApiVersionsFirst() throws IOException {
        send(new ApiVersionsRequest.Builder().build((short) 3));
        goOn();
        assertThat(receive(ApiKeys.API_VERSIONS, (short) 3)).isEqualTo(Errors.NONE);
        assertThat(connection.software()).isNotNull();
    }

    @Test
    void closesWhenNobodyAnswersApiVersions() throws IOException {
        connection.withoutAnswers();
        send(new ApiVersionsRequest.Builder().build((short) 3));
        assertThatThrownBy(this::goOn).isInstanceOf(IOException.class).hasMessageContaining("nobody answers");
    }

    @Test
    void tellsAWrongPasswordWhenTheDelayIsOver() throws IOException {
        send(handshake("PLAIN", (short) 1));
        goOn();
        client.takeSent();
        send(token("alice", "wrong"));
        assertThatThrownBy(this::goOn).isInstanceOf(SaslAuthenticationException.class);
        assertThat(client.takeSent().remaining()).isZero();
        sasl.handleAuthenticationFailure();
        assertThat(receive(ApiKeys.SASL_AUTHENTICATE, (short) 2)).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED);
    }

    @Test
    void tellsWhichMechanismsThereAreWhenTheDelayIsOver() throws IOException {
        send(handshake("NOPE", (short) 1));
        assertThatThrownBy(this::goOn).isInstanceOf(UnsupportedSaslMechanismException.class);
        sasl.handleAuthenticationFailure();
        assertThat(receive(ApiKeys.SASL_HANDSHAKE, (short) 1)).isEqualTo(Errors.UNSUPPORTED_SASL_MECHANISM);
    }

    @Test
    void refusesATokenBeforeItsHandshake() {
        send(token("alice", "alice-secret"));
        assertThatThrownBy(this::goOn).isInstanceOf(IOException.class);
    }

    @Test
    void refusesOtherRequests() throws IOException {
        send(MetadataRequest.Builder.allTopics().build((short) 9));
        assertThatThrownBy(this::goOn).isInstanceOf(IOException.class).hasMessageStartingWith("bad request");
    }

    @Test
    void bytesThatAreNoRequestAreTheClientsAffair() {
        client.arriveFrame(new byte[64]);
        assertThatThrownBy(this::goOn)
                .satisfiesAnyOf(fault -> assertThat(fault).isInstanceOf(IOException.class), fault -> assertThat(fault)
                        .isInstanceOf(IllegalSaslStateException.class));
    }

    @Test
    void authenticatesAgain() throws IOException {
        authenticateAlice();
        again("PLAIN");
        send(token("alice", "alice-secret"));
        goOn();
        assertThat(sasl.complete()).isTrue();
        assertThat(sasl.reauthenticationLatencyMs()).isNotNull();
    }

    @Test
    void cannotBecomeSomebodyElse() throws IOException {
        authenticateAlice();
        again("PLAIN");
        send(token("bob", "bob-secret"));
        assertThatThrownBy(this::goOn)
                .isInstanceOf(SaslAuthenticationException.class)
                .hasMessageContaining("Cannot change principals");
    }

    @Test
    void cannotGoOnAfterAnAuthenticatorOfAnotherKind() {
        Authenticator other = Fake.of(Authenticator.class, Map.of());
        NetworkReceive first = new NetworkReceive("connection", ByteBuffer.wrap(bytes(handshake("PLAIN", (short) 1))));
        assertThatThrownBy(() -> sasl.reauthenticate(new ReauthenticationContext(other, first, 1)))
                .isInstanceOf(IllegalSaslStateException.class);
    }

    private void authenticateAlice() throws IOException {
        send(handshake("PLAIN", (short) 1));
        goOn();
        send(token("alice", "alice-secret"));
        goOn();
        assertThat(sasl.complete()).isTrue();
        client.takeSent();
    }

    private void again(String mechanism) throws IOException {
        Authenticator former = sasl;
        sasl = listener.open(client.layer(), connection);
        NetworkReceive first =
                new NetworkReceive("connection", ByteBuffer.wrap(bytes(handshake(mechanism, (short) 1))));
        sasl.reauthenticate(new ReauthenticationContext(former, first, System.nanoTime()));
        assertThat(connection.takeStep()).isTrue();
        sasl.authenticate();
        assertThat(receive(ApiKeys.SASL_HANDSHAKE, (short) 1)).isEqualTo(Errors.NONE);
    }

    /** As far as the bytes that are there allow. */
    private void goOn() throws IOException {
        sasl.authenticate();
        while (connection.takeStep()) {
            sasl.authenticate();
        }
    }

    private void send(AbstractRequest request) {
        client.arriveFrame(bytes(request));
    }

    private static byte[] bytes(AbstractRequest request) {
        ByteBuffer bytes =
                request.serializeWithHeader(new RequestHeader(request.apiKey(), request.version(), "test", 1));
        byte[] body = new byte[bytes.remaining()];
        bytes.get(body);
        return body;
    }

    private static AbstractRequest handshake(String mechanism, short version) {
        return new SaslHandshakeRequest.Builder(new SaslHandshakeRequestData().setMechanism(mechanism)).build(version);
    }

    private static AbstractRequest token(String user, String password) {
        byte[] bytes = ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
        return new SaslAuthenticateRequest.Builder(new SaslAuthenticateRequestData().setAuthBytes(bytes))
                .build((short) 2);
    }

    /** The error of the one response that was sent. */
    private Errors receive(ApiKeys key, short version) {
        ByteBuffer sent = client.takeSent();
        assertThat(sent.getInt()).isEqualTo(sent.remaining());
        AbstractResponse response = AbstractResponse.parseResponse(sent, new RequestHeader(key, version, "test", 1));
        return response.errorCounts().keySet().iterator().next();
    }
}
