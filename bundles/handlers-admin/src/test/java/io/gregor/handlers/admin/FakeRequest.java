package io.gregor.handlers.admin;

import io.gregor.api.Request;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.common.RequestLocal;

/** A request with a body, which keeps its answer. */
final class FakeRequest implements Request {
    private final AbstractRequest body;
    private Optional<AbstractResponse> answer = Optional.empty();
    private boolean isClosed;

    FakeRequest(AbstractRequest body) {
        this.body = body;
    }

    <T extends AbstractResponse> T answer(Class<T> type) {
        return type.cast(answer.orElseThrow());
    }

    boolean isAnswered() {
        return answer.isPresent();
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public short apiKey() {
        return body.apiKey().id;
    }

    @Override
    public short apiVersion() {
        return body.version();
    }

    @Override
    public RequestContext context() {
        return new RequestContext(
                new RequestHeader(body.apiKey(), body.version(), "client", 1),
                "connection",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                ListenerName.forSecurityProtocol(SecurityProtocol.PLAINTEXT),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false);
    }

    @Override
    public <T extends AbstractRequest> T body(Class<T> type) {
        return type.cast(body);
    }

    @Override
    public void respond(AbstractResponse response) {
        answer = Optional.of(response);
    }

    @Override
    public void respondError(Throwable fault) {
        answer = Optional.of(body.getErrorResponse(fault));
    }

    @Override
    public void closeConnection() {
        isClosed = true;
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
    public void respond(ApiMessage message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void respondBytes(ByteBuffer bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void respondNothing() {
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
        work.run();
    }
}
