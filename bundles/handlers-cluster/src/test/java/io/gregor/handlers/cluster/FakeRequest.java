package io.gregor.handlers.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.Request;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.common.RequestLocal;
import org.jspecify.annotations.Nullable;

/** A request made by a test; keeps its answer as bytes, as a client would get them. */
final class FakeRequest implements Request {
    private final ApiKeys api;
    private final RequestContext context;
    private final AbstractRequest body;
    private @Nullable ByteBuffer answer;

    FakeRequest(ApiKeys api, int version, ApiMessage message) {
        this(api, version, "PLAINTEXT", message);
    }

    FakeRequest(ApiKeys api, int version, String listener, ApiMessage message) {
        this.api = api;
        this.context = new RequestContext(
                new RequestHeader(api, (short) version, "test", 7),
                "connection",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                new ListenerName(listener),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false);
        boolean isKnown = api.isVersionSupported((short) version);
        ByteBuffer bytes = isKnown
                ? MessageUtil.toByteBufferAccessor(message, (short) version).buffer()
                : ByteBuffer.allocate(0);
        this.body = context.parseRequest(bytes).request;
    }

    /** The bytes of the answer; the same object if they were kept. */
    ByteBuffer answerBytes() {
        assertThat(answer).as("the answer").isNotNull();
        return answer;
    }

    <T extends AbstractResponse> T answer(Class<T> type) {
        return type.cast(AbstractResponse.parseResponse(
                api, new ByteBufferAccessor(answerBytes().duplicate()), context.apiVersion()));
    }

    @Override
    public short apiKey() {
        return api.id;
    }

    @Override
    public short apiVersion() {
        return context.header.apiVersion();
    }

    @Override
    public RequestContext context() {
        return context;
    }

    @Override
    public <T extends AbstractRequest> T body(Class<T> type) {
        return type.cast(body);
    }

    @Override
    public ByteBuffer bodyBytes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long receivedNs() {
        return 0;
    }

    @Override
    public RequestLocal local() {
        return RequestLocal.noCaching();
    }

    @Override
    public void respond(AbstractResponse response) {
        respond(response.data());
    }

    @Override
    public void respond(ApiMessage message) {
        respondBytes(
                MessageUtil.toByteBufferAccessor(message, context.apiVersion()).buffer());
    }

    @Override
    public void respondBytes(ByteBuffer bytes) {
        assertThat(answer).as("an earlier answer").isNull();
        answer = bytes;
    }

    @Override
    public void respondError(Throwable fault) {
        respond(body.getErrorResponse(0, fault));
    }

    @Override
    public void respondNothing() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void closeConnection() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void startThrottle() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void endThrottle() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void later(Runnable work) {
        throw new UnsupportedOperationException();
    }
}
