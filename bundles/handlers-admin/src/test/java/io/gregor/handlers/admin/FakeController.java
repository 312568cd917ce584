package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.internal.broker.Forwarding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/** Answers what is forwarded at once, and keeps it. */
final class FakeController implements Forwarding {
    private final List<AbstractRequest> forwarded = new ArrayList<>();
    private final Function<AbstractRequest, Optional<AbstractResponse>> answers;

    FakeController(Function<AbstractRequest, Optional<AbstractResponse>> answers) {
        this.answers = answers;
    }

    List<AbstractRequest> forwarded() {
        return forwarded;
    }

    @Override
    public void forward(Request request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void forward(Request request, AbstractRequest body, Consumer<Optional<AbstractResponse>> done) {
        forwarded.add(body);
        done.accept(answers.apply(body));
    }

    @Override
    public Optional<NodeApiVersions> controllerApiVersions() {
        return Optional.empty();
    }
}
