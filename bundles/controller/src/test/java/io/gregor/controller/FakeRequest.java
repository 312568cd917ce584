package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.controller.internal.ForwardedContext;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.Optional;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;

/** A request of a broker, which keeps its answer. */
final class FakeRequest {
    private final AbstractRequest body;
    private final boolean fromPrivilegedListener;
    private boolean isForwarded;
    private Optional<AbstractResponse> answer = Optional.empty();

    FakeRequest(AbstractRequest body) {
        this(body, true);
    }

    FakeRequest(AbstractRequest body, boolean fromPrivilegedListener) {
        this.body = body;
        this.fromPrivilegedListener = fromPrivilegedListener;
    }

    FakeRequest forwarded() {
        isForwarded = true;
        return this;
    }

    <T extends AbstractResponse> T answer(Class<T> type) {
        return type.cast(answer.orElseThrow());
    }

    Request request() {
        return (Request) Proxy.newProxyInstance(
                Request.class.getClassLoader(), new Class<?>[] {Request.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "context":
                            return context();
                        case "apiVersion":
                            return body.version();
                        case "body":
                            return body;
                        case "respond":
                            answer = Optional.of((AbstractResponse) arguments[0]);
                            return null;
                        case "respondError":
                            answer = Optional.of(body.getErrorResponse((Throwable) arguments[0]));
                            return null;
                        default:
                            throw new UnsupportedOperationException(method.toString());
                    }
                });
    }

    private RequestContext context() {
        RequestHeader header = new RequestHeader(body.apiKey(), body.version(), "client", 1);
        RequestContext direct = direct(header);
        return isForwarded
                ? new ForwardedContext(direct, header, direct.clientAddress, KafkaPrincipal.ANONYMOUS)
                : direct;
    }

    private RequestContext direct(RequestHeader header) {
        return new RequestContext(
                header,
                "connection",
                InetAddress.getLoopbackAddress(),
                Optional.empty(),
                KafkaPrincipal.ANONYMOUS,
                new ListenerName("CONTROLLER"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                fromPrivilegedListener,
                Optional.of(new DefaultKafkaPrincipalBuilder(null, null)));
    }
}
