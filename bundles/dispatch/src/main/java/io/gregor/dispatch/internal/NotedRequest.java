package io.gregor.dispatch.internal;

import io.gregor.api.Request;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What metrics, the request log and messages tell of a request: its header, its size, and what is noted of its answer. Handed
 * from thread to thread; the answer is noted by whoever has claimed it.
 */
abstract class NotedRequest implements Request {
    private static final Logger LOGGER = LoggerFactory.getLogger(NotedRequest.class);

    private static final long NS_PER_MS = 1_000_000L;

    private final RequestContext context;
    private final int bodySize;
    private final short apiKey;
    private int successes;
    private int throttleMs;
    private @Nullable Map<Errors, Integer> errors;
    private @Nullable RequestNotes notes;

    NotedRequest(RequestContext context, int bodySize) {
        this.context = context;
        this.bodySize = bodySize;
        this.apiKey = context.header.data().requestApiKey();
    }

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

    /** Whether it is one of Kafka's APIs. */
    final boolean isKafkas() {
        return apiKey < ApiTable.FIRST_NEW_KEY;
    }

    /** Kafka's name of the API in capitals, or the new key. */
    final String apiName() {
        return apiKey < ApiTable.FIRST_NEW_KEY ? context.header.apiKey().name() : Short.toString(apiKey);
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

    /** Keeps what is logged of the body, as it came. */
    final void noteBody(AbstractRequest body) {
        if (RequestLog.isOn()) {
            makeNotes().request = RequestLog.body(body);
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
        throttleMs = Math.max(throttleMs, response.throttleTimeMs());
        if (RequestLog.isOn()) {
            makeNotes().response = RequestLog.body(response, responseVersion());
        }
        if (AuditLog.isAudited(apiKey)) {
            audit(response.errorCounts());
        }
    }

    /** Keeps how long the client is held back. By whoever has answered, before the answer is handed over. */
    final void heldFor(int throttleTimeMs) {
        throttleMs = Math.max(throttleMs, throttleTimeMs);
    }

    /** Writes it to the audit log. By whoever has answered, before the answer is handed over. */
    abstract void audit(Map<Errors, Integer> errorCounts);

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
        if (AuditLog.isAudited(apiKey)) {
            audit(errorCounts == null ? Map.of(Errors.NONE, 1) : errorCounts);
        }
    }

    /** The same for errors without a response. */
    final void tell(Map<Errors, Integer> errorCounts) {
        errors = errorCounts;
        if (AuditLog.isAudited(apiKey)) {
            audit(errorCounts);
        }
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

    @Override
    public String toString() {
        return "apiKey=" + apiKey + " apiVersion=" + apiVersion() + " correlationId=" + context.correlationId()
                + " connection=" + context.connectionId + " principal=" + context.principal;
    }
}
