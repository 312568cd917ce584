package io.gregor.api;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Serves the requests of one or more API keys, as an OSGi service with the properties of {@link ServesApi}. Of the
 * services for a key the one with the highest {@code service.ranking} serves it; when it goes, the next one does.
 *
 * <p>A handler holds no state that outlives a call (sessions, waiting operations, group state belong elsewhere), so it can
 * be replaced at any time: requests that it has taken are finished in it.
 */
@ConsumerType
public interface RequestHandler {
    /**
     * Takes one request and sees to it that it is answered exactly once, now or later, by one of the {@code respond…}
     * methods of the request.
     *
     * <p>Called on a request handler thread, by many threads at a time for different requests, never by two for one
     * connection. May block for as long as it has work to do; it must not wait for another request or another node: answer
     * later from the thread that knows the result instead.
     *
     * <p>What it throws becomes the error response of the request's API with the Kafka error that fits the exception
     * ({@code Errors.forException}), unless the request has been answered; for acks=0 the connection is closed.
     *
     * @param request the request; valid until it is answered
     */
    void handle(Request request);
}
