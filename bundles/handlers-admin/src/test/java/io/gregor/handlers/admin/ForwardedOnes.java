package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.internal.broker.Forwarding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/** Keeps the requests that are forwarded as they are. */
final class ForwardedOnes implements Forwarding {
    private final List<Request> requests = new ArrayList<>();

    List<Request> requests() {
        return requests;
    }

    @Override
    public void forward(Request request) {
        requests.add(request);
    }

    @Override
    public void forward(Request request, AbstractRequest body, Consumer<Optional<AbstractResponse>> done) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<NodeApiVersions> controllerApiVersions() {
        return Optional.empty();
    }
}
