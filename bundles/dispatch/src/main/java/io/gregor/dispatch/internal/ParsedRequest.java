package io.gregor.dispatch.internal;

import io.gregor.api.Request;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;
import org.apache.kafka.server.common.RequestLocal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What requests from a connection and requests from inside an envelope have in common. Handed from thread to thread; the
 * answer is guarded by those who extend it.
 */
abstract class ParsedRequest implements Request {
    private static final Logger LOGGER = LoggerFactory.getLogger(ParsedRequest.class);

    private final RequestContext context;
    private final @Nullable AbstractRequest body;
    private final short apiKey;

    ParsedRequest(RequestContext context, @Nullable AbstractRequest body) {
        this.context = context;
        this.body = body;
        this.apiKey = context.header.data().requestApiKey();
    }

    /** Whether one of the responding methods was called. */
    abstract boolean isAnswered();

    /** Called by the handler thread before it works on the request. */
    abstract void useLocal(RequestLocal local);

    @Override
    public final short apiKey() {
        return apiKey;
    }

    @Override
    public final short apiVersion() {
        return context.header.data().requestApiVersion();
    }

    @Override
    public final RequestContext context() {
        return context;
    }

    @Override
    public final <T extends AbstractRequest> T body(Class<T> type) {
        if (body == null) {
            throw new IllegalStateException("apiKey=" + apiKey + " is no Kafka API: its body is in bodyBytes()");
        }
        return type.cast(body);
    }

    @Override
    public final void respondError(Throwable fault) {
        AbstractResponse response = body == null ? null : body.getErrorResponse(0, fault);
        if (response == null) {
            closeConnection();
        } else {
            respond(response);
        }
    }

    /** Answers for a handler that threw, if it has not answered. */
    final void fail(Throwable fault) {
        if (isAnswered()) {
            LOGGER.error("handler failed after it had answered: {}", this, fault);
            return;
        }
        if (Errors.maybeUnwrapException(fault) instanceof ApiException) {
            LOGGER.debug("request refused: {}", this, fault);
        } else {
            LOGGER.error("handler failed; the client gets the error: {}", this, fault);
        }
        try {
            respondError(fault);
        } catch (RuntimeException unanswerable) {
            if (!isAnswered()) {
                LOGGER.error("error could not be answered; the connection is closed: {}", this, unanswerable);
                closeConnection();
            }
        }
    }

    /** The response header that belongs to the request. */
    final ResponseHeader responseHeader() {
        RequestHeader header = context.header;
        return apiKey < ApiTable.FIRST_NEW_KEY
                ? header.toResponseHeader()
                : new ResponseHeader(header.correlationId(), (short) 1);
    }

    /** The version of the response's body, which is 0 for a version of ApiVersions that is not known. */
    final short responseVersion() {
        return apiKey < ApiTable.FIRST_NEW_KEY ? context.apiVersion() : apiVersion();
    }

    @Override
    public String toString() {
        return "apiKey=" + apiKey + " apiVersion=" + apiVersion() + " correlationId=" + context.correlationId()
                + " connection=" + context.connectionId + " principal=" + context.principal;
    }
}
