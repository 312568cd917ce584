package io.gregor.itest.security;

import io.gregor.itest.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.SaslAuthenticateRequest;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;
import org.apache.kafka.common.requests.SaslHandshakeRequest;
import org.apache.kafka.common.requests.SaslHandshakeResponse;

/** What a client of a SASL listener says, frame by frame. Owned by the test thread. */
final class SaslWire implements AutoCloseable {
    private static final short LATEST_AUTHENTICATE = 2;

    private final RawClient client;

    private SaslWire(RawClient client) {
        this.client = client;
    }

    static SaslWire connect(int port) throws IOException {
        return new SaslWire(RawClient.connect(port));
    }

    RawClient client() {
        return client;
    }

    static AbstractRequest handshakeRequest(String mechanism, int version) {
        return new SaslHandshakeRequest.Builder(new SaslHandshakeRequestData().setMechanism(mechanism))
                .build((short) version);
    }

    static AbstractRequest tokenRequest(byte... token) {
        return new SaslAuthenticateRequest.Builder(new SaslAuthenticateRequestData().setAuthBytes(token))
                .build(LATEST_AUTHENTICATE);
    }

    static AbstractRequest metadataRequest() {
        return MetadataRequest.Builder.allTopics().build((short) 9);
    }

    /** The token of PLAIN. */
    static byte[] plain(String user, String password) {
        return ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
    }

    Errors handshake(String mechanism) throws IOException {
        return ((SaslHandshakeResponse) client.call(handshakeRequest(mechanism, 1), 1)).error();
    }

    SaslAuthenticateResponse authenticate(byte... token) throws IOException {
        return (SaslAuthenticateResponse) client.call(tokenRequest(token), 2);
    }

    /** The whole of it with PLAIN. */
    SaslAuthenticateResponse login(String user, String password) throws IOException {
        handshake("PLAIN");
        return authenticate(plain(user, password));
    }

    /** Whether a request is answered. */
    boolean isServed() throws IOException {
        return !((MetadataResponse) client.call(metadataRequest(), 3)).brokers().isEmpty();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
