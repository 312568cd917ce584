package io.gregor.dispatch.internal;

import io.gregor.api.Request;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.ApiMessage;
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
 * What requests from a connection and requests from inside an envelope have in common. Handed from thread to thread; who
 * answers it is decided by {@code state}.
 */
abstract class ParsedRequest implements Request {
    private static final Logger LOGGER = LoggerFactory.getLogger(ParsedRequest.class);

    private static final AtomicIntegerFieldUpdater<ParsedRequest> STATE =
            AtomicIntegerFieldUpdater.newUpdater(ParsedRequest.class, "state");

    private static final AtomicReferenceFieldUpdater<ParsedRequest, HandlerBundle> BUNDLE =
            AtomicReferenceFieldUpdater.newUpdater(ParsedRequest.class, HandlerBundle.class, "bundle");

    private static final long NS_PER_MS = 1_000_000L;

    /** States: given to nobody, or to a handler that has not returned; unanswered when it had returned; answered. */
    private static final int OPEN = 0;

    private static final int AWAITED = 1;
    private static final int ANSWERED = 2;

    private final RequestContext context;
    private final int bodySize;
    private final short apiKey;
    private @Nullable AbstractRequest body;
    private @Nullable ByteBuffer replacedBytes;
    private boolean isReplaced;
    private @Nullable FilterPass filters;
    private volatile int state;
    private volatile @Nullable HandlerBundle bundle;
    private long givenNs;
    private boolean failed;
    private int successes;
    private int throttleMs;
    private @Nullable Map<Errors, Integer> errors;
    private @Nullable RequestNotes notes;

    ParsedRequest(RequestContext context, @Nullable AbstractRequest body, int bodySize) {
        this.context = context;
        this.body = body;
        this.bodySize = bodySize;
        this.apiKey = context.header.data().requestApiKey();
        if (body != null && RequestLog.isOn()) {
            makeNotes().request = RequestLog.body(body);
        }
    }

    /** Whether one of the responding methods was called. */
    final boolean isAnswered() {
        return state == ANSWERED;
    }

    /** Is for one answer only: the first. Before anything is done to give it. */
    final void claim() {
        int before = STATE.getAndSet(this, ANSWERED);
        if (before == ANSWERED) {
            throw new IllegalStateException("answered before, an answer is given once: " + this);
        }
        HandlerBundle giver = bundle;
        if (before == AWAITED && giver != null) {
            giver.answered();
        }
    }

    /**
     * A handler of this bundle is about to get it. By the handler thread; it is seen by others at once, as good as.
     *
     * @param nowNs the time; 0 if it is that of the handler thread's taking the request
     */
    final void givenTo(HandlerBundle taker, long nowNs) {
        givenNs = nowNs;
        BUNDLE.lazySet(this, taker);
    }

    /** The handler has returned: from now on a request without an answer is one that its bundle has in hand. */
    final void handlerReturned() {
        HandlerBundle taker = bundle;
        if (taker != null && state == OPEN) {
            taker.awaits();
            if (!STATE.compareAndSet(this, OPEN, AWAITED)) {
                taker.answered();
            }
        }
    }

    /** The bundle of the handler that got it; null if none did. */
    final @Nullable HandlerBundle bundle() {
        return bundle;
    }

    /** When its handler got it; 0 if it was when the handler thread took it. */
    final long givenNs() {
        return givenNs;
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

    /** Called by the handler thread before it works on the request. */
    abstract void useLocal(RequestLocal local);

    /** A handler thread begins to work on it again. */
    abstract void followUpBegins();

    /** The handler thread has done that. */
    abstract void followUpEnds();

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

    /** Is for responses of this request's API only. */
    final void requireOwn(AbstractResponse response) {
        if (body == null || response.apiKey().id != apiKey) {
            throw new IllegalArgumentException("response of apiKey=" + response.apiKey().id + " is not for " + this);
        }
    }

    @Override
    public final void recordsConverted(long temporaryMemoryBytes, long conversionNs) {
        RequestNotes made = makeNotes();
        made.temporaryMemoryBytes = temporaryMemoryBytes;
        made.conversionNs = conversionNs;
    }

    /** Keeps what is counted and logged of the answer. By whoever has answered, before the answer is handed over. */
    final void tell(AbstractResponse response) {
        try {
            keep(response);
        } catch (RuntimeException e) {
            LOGGER.error("answer is sent but not counted: {}", this, e);
        }
    }

    private void keep(AbstractResponse response) {
        int parts = AnswerErrors.successes(response);
        if (parts == AnswerErrors.UNKNOWN) {
            errors = response.errorCounts();
        } else {
            successes = parts;
        }
        throttleMs = response.throttleTimeMs();
        if (RequestLog.isOn()) {
            makeNotes().response = RequestLog.body(response, responseVersion());
        }
    }

    /** The same for an answer that was given as a message. */
    final void tell(ApiMessage message) {
        try {
            keep(AnswerErrors.response(context.header.apiKey(), message, responseVersion()));
        } catch (RuntimeException e) {
            LOGGER.error("answer is sent but not counted: {}", this, e);
        }
    }

    /** The same for an answer that was given as bytes. */
    final void tell(ByteBuffer bytes, @Nullable Map<Errors, Integer> errorCounts) {
        if (errorCounts == null) {
            successes = 1;
        } else {
            errors = errorCounts;
        }
        if (apiKey < ApiTable.FIRST_NEW_KEY && RequestLog.isOn()) {
            makeNotes().response = RequestLog.body(context.header.apiKey(), bytes, responseVersion());
        }
    }

    /** The same for errors without a response. */
    final void tell(Map<Errors, Integer> errorCounts) {
        errors = errorCounts;
    }

    private RequestNotes makeNotes() {
        RequestNotes made = notes == null ? new RequestNotes() : notes;
        notes = made;
        return made;
    }

    /** How many parts of the answer are without error, as far as they are not in {@link #errors}. */
    final int successes() {
        return successes;
    }

    /** How often the answer has which error. */
    final @Nullable Map<Errors, Integer> errors() {
        return errors;
    }

    final long throttleNs() {
        return throttleMs * NS_PER_MS;
    }

    /** The bytes after the header. */
    final int bodySize() {
        return bodySize;
    }

    final long conversionNs() {
        return notes == null ? 0 : notes.conversionNs;
    }

    final long temporaryMemoryBytes() {
        return notes == null ? 0 : notes.temporaryMemoryBytes;
    }

    final @Nullable RequestNotes notes() {
        return notes;
    }

    /** Kafka's name of the API in capitals, or the new key. */
    final String apiName() {
        return apiKey < ApiTable.FIRST_NEW_KEY ? context.header.apiKey().name() : Short.toString(apiKey);
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
