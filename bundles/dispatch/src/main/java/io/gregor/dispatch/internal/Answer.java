package io.gregor.dispatch.internal;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.jspecify.annotations.Nullable;

/**
 * What a request is answered with, in the form in which it was given: it is sent in that form if nobody changes it, and made
 * a response only if somebody looks. Handed from thread to thread with the request.
 */
final class Answer {
    private final @Nullable ApiMessage message;
    private final @Nullable Map<Errors, Integer> errorCounts;
    private @Nullable ByteBuffer bytes;
    private @Nullable AbstractResponse response;

    private Answer(
            @Nullable AbstractResponse response,
            @Nullable ApiMessage message,
            @Nullable ByteBuffer bytes,
            @Nullable Map<Errors, Integer> errorCounts) {
        this.response = response;
        this.message = message;
        this.bytes = bytes;
        this.errorCounts = errorCounts;
    }

    static Answer of(AbstractResponse response) {
        return new Answer(response, null, null, null);
    }

    static Answer of(ApiMessage message) {
        return new Answer(null, message, null, null);
    }

    static Answer of(ByteBuffer bytes, @Nullable Map<Errors, Integer> errorCounts) {
        return new Answer(null, null, bytes, errorCounts);
    }

    /** The error response of the request's API; the end of the connection where it has none. */
    static Answer error(ParsedRequest request, Throwable fault) {
        AbstractResponse error = request.errorResponse(fault);
        return error == null ? new Answer(null, null, null, request.errorCounts(fault)) : of(error);
    }

    /** Whether there is no response: the connection ends. */
    boolean isClosing() {
        return response == null && message == null && bytes == null;
    }

    /** The response, of one of Kafka's own APIs. */
    AbstractResponse response(ParsedRequest request) {
        AbstractResponse made = response == null ? make(request) : response;
        response = made;
        return made;
    }

    private AbstractResponse make(ParsedRequest request) {
        return message == null ? request.response(bytes(request)) : request.response(message);
    }

    /** The body, of a new API key. */
    ByteBuffer bytes(ParsedRequest request) {
        ByteBuffer made = bytes;
        if (made == null) {
            if (message == null) {
                throw new IllegalStateException("answer without a body: " + request);
            }
            made = MessageUtil.toByteBufferAccessor(message, request.responseVersion())
                    .buffer();
            bytes = made;
        }
        return made;
    }

    /** Gives it to the request's client. */
    void giveTo(ParsedRequest request) {
        if (message != null) {
            request.give(message);
        } else if (bytes != null) {
            request.giveBytes(bytes, errorCounts);
        } else if (response != null) {
            request.give(response);
        } else {
            request.giveClose(errorCounts);
        }
    }
}
