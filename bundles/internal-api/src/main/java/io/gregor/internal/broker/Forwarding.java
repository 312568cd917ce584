package io.gregor.internal.broker;

import io.gregor.api.Request;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/** Sends requests on to the active controller (KIP-590). A service of the broker bundle. Shared: any thread. */
public interface Forwarding {
    /** Forwards a request and answers it with the controller's response, once this broker has applied what it created. */
    void forward(Request request);

    /**
     * Forwards another body in the name of a request, and leaves the answer to the caller: the controller's response, or
     * empty if the controller does not know the API version (the client is then to learn the versions anew).
     */
    void forward(Request request, AbstractRequest body, Consumer<Optional<AbstractResponse>> done);

    /** What the active controller serves, once known. */
    Optional<NodeApiVersions> controllerApiVersions();
}
