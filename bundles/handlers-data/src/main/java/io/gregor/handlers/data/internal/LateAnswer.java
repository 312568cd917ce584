package io.gregor.handlers.data.internal;

import io.gregor.api.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a fault in an answer with its request. Answers to requests that waited are made on the thread that ended the wait,
 * often another request's, which must not suffer from it. Immutable.
 */
public final class LateAnswer {
    private static final Logger LOGGER = LoggerFactory.getLogger(LateAnswer.class);

    private LateAnswer() {}

    /** Answers with the error that fits the fault, if the request has no answer yet. */
    public static void failed(Request request, RuntimeException fault) {
        LOGGER.error("answer failed: apiKey={} apiVersion={}", request.apiKey(), request.apiVersion(), fault);
        try {
            request.respondError(fault);
        } catch (IllegalStateException answered) {
            LOGGER.debug("the request had its answer already: {}", answered.getMessage());
        }
    }
}
