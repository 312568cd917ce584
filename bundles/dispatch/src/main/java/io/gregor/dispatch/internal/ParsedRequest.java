package io.gregor.dispatch.internal;

import io.gregor.internal.request.DecidedElsewhere;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.common.RequestLocal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What requests from a connection and requests from inside an envelope have in common: a body, which filters may replace, and
 * the ways to answer, which lead through filters. Handed from thread to thread; one answers, see {@code claim}.
 */
abstract class ParsedRequest extends MeteredRequest implements DecidedElsewhere {
    private static final Logger LOGGER = LoggerFactory.getLogger(ParsedRequest.class);

    private @Nullable AbstractRequest body;
    private @Nullable ByteBuffer replacedBytes;
    private boolean isReplaced;
    private @Nullable FilterPass filters;
    private boolean failed;
    private volatile boolean isDecidedElsewhere;

    ParsedRequest(RequestContext context, @Nullable AbstractRequest body, int bodySize) {
        super(context, bodySize);
        this.body = body;
        if (body != null) {
            noteBody(body);
        }
    }

    /** Whether its handler threw something else than an error of Kafka's. */
    final boolean isFailed() {
        return failed;
    }

    /** Its way through the filters, from now on; null for none, or none that sees its response. By the handler thread. */
    final void filters(@Nullable FilterPass pass) {
        filters = pass;
    }

    /** Its way through the filters; null if there are none that see its response. */
    final @Nullable FilterPass filters() {
        return filters;
    }

    /** For those who turn an answer into bytes first: behind filters it is claimed already. */
    final void claimUnlessFiltered() {
        if (filters == null) {
            claim();
        }
    }

    /** Whether it came inside an envelope. */
    abstract boolean isEmbedded();

    @Override
    public final void decidedElsewhere() {
        isDecidedElsewhere = true;
    }

    @Override
    final void audit(Map<Errors, Integer> errorCounts) {
        AbstractRequest asked = body;
        if (asked != null) {
            AuditLog.write(context(), asked, isEmbedded(), isDecidedElsewhere, errorCounts);
        }
    }

    /** Called by the handler thread before it works on the request. */
    abstract void useLocal(RequestLocal local);

    /** A handler thread begins to work on it again. */
    abstract void followUpBegins();

    /** The handler thread has done that. */
    abstract void followUpEnds();

    @Override
    public final <T extends AbstractRequest> T body(Class<T> type) {
        if (body == null) {
            throw new IllegalStateException("apiKey=" + apiKey() + " is no Kafka API: its body is in bodyBytes()");
        }
        return type.cast(body);
    }

    @Override
    public final ByteBuffer bodyBytes() {
        if (!isReplaced) {
            return receivedBytes();
        }
        ByteBuffer bytes = replacedBytes;
        if (bytes == null && body != null) {
            bytes = body.serialize().buffer();
            replacedBytes = bytes;
        }
        return bytes == null ? receivedBytes() : bytes.asReadOnlyBuffer();
    }

    /** The bytes after the header, as they came. */
    abstract ByteBuffer receivedBytes();

    /** A filter has put another body in the place of the parsed one. By the handler thread, before the handler. */
    final void replaceBody(AbstractRequest replacement) {
        body = replacement;
        replacedBytes = null;
        isReplaced = true;
    }

    /** A filter has put other bytes in the place of a new API's. By the handler thread, before the handler. */
    final void replaceBodyBytes(ByteBuffer replacement) {
        replacedBytes = replacement;
        isReplaced = true;
    }

    @Override
    public final void respond(AbstractResponse response) {
        FilterPass behind = filters;
        if (behind == null) {
            give(response);
        } else {
            claim();
            behind.respond(Answer.of(response));
        }
    }

    @Override
    public final void respond(ApiMessage message) {
        FilterPass behind = filters;
        if (behind == null) {
            give(message);
        } else {
            claim();
            behind.respond(Answer.of(message));
        }
    }

    @Override
    public final void respondBytes(ByteBuffer bytes) {
        respond(bytes, null);
    }

    @Override
    public final void respondBytes(ByteBuffer bytes, Map<Errors, Integer> errorCounts) {
        respond(bytes, errorCounts);
    }

    private void respond(ByteBuffer bytes, @Nullable Map<Errors, Integer> errorCounts) {
        FilterPass behind = filters;
        if (behind == null) {
            giveBytes(bytes, errorCounts);
        } else {
            claim();
            behind.respond(Answer.of(bytes, errorCounts));
        }
    }

    @Override
    public final void respondNothing() {
        claim();
        passFilters();
        giveNothing();
    }

    @Override
    public final void closeConnection() {
        claim();
        passFilters();
        giveClose(null);
    }

    @Override
    public final void closeConnection(Map<Errors, Integer> errorCounts) {
        claim();
        passFilters();
        giveClose(errorCounts);
    }

    private void passFilters() {
        FilterPass behind = filters;
        if (behind != null) {
            behind.release();
        }
    }

    /** Sends a response; the filters have seen it, or there are none. */
    abstract void give(AbstractResponse response);

    /** The same with a message. */
    abstract void give(ApiMessage message);

    /** The same with bytes. */
    abstract void giveBytes(ByteBuffer bytes, @Nullable Map<Errors, Integer> errorCounts);

    /** Ends without a response. The answer is claimed. */
    abstract void giveNothing();

    /** Closes the connection. The answer is claimed. */
    abstract void giveClose(@Nullable Map<Errors, Integer> errorCounts);

    @Override
    public final void respondError(Throwable fault) {
        AbstractResponse response = errorResponse(fault);
        Map<Errors, Integer> counts = response == null ? errorCounts(fault) : null;
        if (response != null) {
            respond(response);
        } else if (counts != null) {
            closeConnection(counts);
        } else {
            closeConnection();
        }
    }

    /** The error response of the API; null if it has none, or the client expects none. */
    final @Nullable AbstractResponse errorResponse(Throwable fault) {
        return body == null ? null : body.getErrorResponse(0, fault);
    }

    /** What errors an error response would have; null for a new API key. */
    final @Nullable Map<Errors, Integer> errorCounts(Throwable fault) {
        return body == null ? null : body.errorCounts(fault);
    }

    /** What a filter answers that refuses the request or its response. */
    final Answer refusal(Errors error, String reason) {
        if (error == Errors.NONE) {
            throw new IllegalArgumentException("error=NONE is no error to refuse with: " + this);
        }
        LOGGER.debug("refused by a filter: error={} reason={} {}", error, reason, this);
        return Answer.error(this, error.exception(reason));
    }

    /** The response that has this body, if it is one of Kafka's APIs: what is held back says so in its response. */
    final AbstractResponse response(ApiMessage message) {
        return AnswerErrors.response(context().header.apiKey(), message, responseVersion());
    }

    /** The same of bytes. */
    final AbstractResponse response(ByteBuffer bytes) {
        return AnswerErrors.response(context().header.apiKey(), bytes, responseVersion());
    }

    /** Is for bytes, which only the bodies of new API keys are shown as to filters. */
    final void requireNewKey() {
        if (body != null) {
            throw new IllegalStateException("apiKey=" + apiKey() + " is one of Kafka's: it has no bytes, but a body");
        }
    }

    /** Is for responses of this request's API only. */
    final void requireOwn(AbstractResponse response) {
        if (body == null || response.apiKey().id != apiKey()) {
            throw new IllegalArgumentException("response of apiKey=" + response.apiKey().id + " is not for " + this);
        }
    }

    /** The parsed body; null for a new API key. */
    final @Nullable AbstractRequest parsedBody() {
        return body;
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
            failed = true;
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
}
