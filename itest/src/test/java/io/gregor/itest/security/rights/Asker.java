package io.gregor.itest.security.rights;

import io.gregor.itest.RawClient;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;

/** One connection of a user, authenticated by SASL PLAIN, that asks one thing after the other. Owned by the test thread. */
final class Asker implements Closeable {
    private static final String CLIENT_ID = "rights";

    private final RawClient client;
    private int correlationId;

    private Asker(RawClient client) {
        this.client = client;
    }

    /** Somebody whose password is his name and {@code -secret}. */
    static Asker of(int port, String user) throws IOException {
        Asker asker = new Asker(RawClient.connect(port));
        try {
            asker.ask(ApiKeys.SASL_HANDSHAKE, (short) 1, new SaslHandshakeRequestData().setMechanism("PLAIN"));
            String token = "\0" + user + "\0" + user + "-secret";
            SaslAuthenticateResponseData authenticated = (SaslAuthenticateResponseData) asker.ask(
                    ApiKeys.SASL_AUTHENTICATE,
                    (short) 2,
                    new SaslAuthenticateRequestData().setAuthBytes(token.getBytes(StandardCharsets.UTF_8)));
            Errors.forCode(authenticated.errorCode()).maybeThrow();
            return asker;
        } catch (IOException | RuntimeException fault) {
            asker.close();
            throw fault;
        }
    }

    /** The answer's body. */
    ApiMessage ask(ApiKeys key, short version, ApiMessage body) throws IOException {
        correlationId++;
        RequestHeader header = new RequestHeader(key, version, CLIENT_ID, correlationId);
        ByteBuffer bytes = RequestUtils.serialize(header.data(), header.headerVersion(), body, version);
        client.sendFrame(bytes.array());
        ByteBuffer frame = client.readFrame();
        ResponseHeader.parse(frame, key.responseHeaderVersion(version));
        ApiMessage answer = key.messageType.newResponse();
        answer.read(new ByteBufferAccessor(frame), version);
        return answer;
    }

    /** The answer as a text, whatever becomes of the request. */
    String told(ApiKeys key, short version, ApiMessage body) throws IOException {
        try {
            return AnswerText.of(ask(key, version, body));
        } catch (SocketTimeoutException late) {
            return "no answer";
        } catch (EOFException | SocketException closed) {
            return "closes the connection";
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
