package io.gregor.api;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.common.RequestLocal;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One request of one client. Exactly one of the {@code respond…} methods or {@link #closeConnection} is called, once, by
 * any thread; the connection takes no further request until then.
 */
@ProviderType
public interface Request {
    /**
     * The API key of the header.
     *
     * @return a number of Kafka's own APIs or a new one (10000 to 32767)
     */
    short apiKey();

    /**
     * The API version of the header, checked to be one that is served.
     *
     * @return 0 to 32767
     */
    short apiVersion();

    /**
     * Who asks: header, principal, listener, security protocol, client address, client name and version. For new API keys
     * the header's {@code apiKey()} is not usable; {@link #apiKey} is.
     *
     * @return the context, immutable
     */
    RequestContext context();

    /**
     * The parsed body of one of Kafka's own APIs.
     *
     * @param type the request class of the API
     * @param <T> the request class of the API
     * @return the body
     * @throws ClassCastException if the API has another request class
     * @throws IllegalStateException for a new API key, which has only {@link #bodyBytes}
     */
    <T extends AbstractRequest> T body(Class<T> type);

    /**
     * The bytes after the request header; a view of the receive buffer, not a copy. Kept for new API keys and for those of
     * Kafka's APIs whose parsed body refers to the buffer or that are forwarded to the controller; for the others the buffer
     * was given back when the body had been parsed.
     *
     * @return a read-only buffer of its own position, valid until the response is written or {@link #releaseBody} is called
     * @throws IllegalStateException if the buffer was given back
     */
    ByteBuffer bodyBytes();

    /**
     * Gives the receive buffer back before the request is answered, for a handler that waits after it has used the body
     * (Produce with acks=all): the buffer counts against {@code queued.max.request.bytes} until then. Neither the body's
     * records nor {@link #bodyBytes} are looked at afterwards. Any thread; may be called more than once.
     */
    default void releaseBody() {}

    /**
     * When the last byte of the request had been read.
     *
     * @return nanoseconds of {@code System.nanoTime}
     */
    long receivedNs();

    /**
     * What may be kept for the handler thread that calls {@link RequestHandler#handle}: reusable buffers. Only for use on
     * that thread and during that call.
     *
     * @return the buffers of the thread
     */
    RequestLocal local();

    /**
     * Answers with the response of a Kafka API. The response is turned into bytes on the calling thread; file records
     * stay where they are and leave by zero copy.
     *
     * @param response the response
     * @throws IllegalStateException if the request has been answered
     */
    void respond(AbstractResponse response);

    /**
     * Answers with a message that is written in the request's version, after the response header that belongs to it.
     *
     * @param message the body of the response
     * @throws IllegalStateException if the request has been answered
     */
    void respond(ApiMessage message);

    /**
     * Answers with a body that is serialized already, after the response header that belongs to the request's API and
     * version (for a new API key a flexible one). So an answer may be kept and sent to many requests.
     *
     * @param body the bytes of the body, from position to limit; neither they nor the position are changed, and the caller
     *     does not change the bytes afterwards
     * @throws IllegalStateException if the request has been answered
     */
    void respondBytes(ByteBuffer body);

    /**
     * The same for an answer that has more parts than one, or errors in it, as metrics count them
     * ({@code AbstractResponse.errorCounts}); without this it counts as one part without error.
     *
     * @param body the bytes of the body, from position to limit, not changed by anybody
     * @param errorCounts how often the answer has which error, {@code NONE} included
     * @throws IllegalStateException if the request has been answered
     */
    default void respondBytes(ByteBuffer body, Map<Errors, Integer> errorCounts) {
        respondBytes(body);
    }

    /**
     * Answers with the error response that the request's API has for an exception, or closes the connection where the
     * client expects no response (acks=0) and for a new API key, which has no error response of a known form.
     *
     * @param fault the reason; mapped by {@code Errors.forException}
     * @throws IllegalStateException if the request has been answered
     */
    void respondError(Throwable fault);

    /**
     * Ends the request without a response, for a client that expects none (acks=0).
     *
     * @throws IllegalStateException if the request has been answered
     */
    void respondNothing();

    /**
     * Ends the request by closing the connection, for an error that no response can carry.
     *
     * @throws IllegalStateException if the request has been answered
     */
    void closeConnection();

    /**
     * The same, with the errors that metrics count.
     *
     * @param errorCounts how often the response would have had which error
     * @throws IllegalStateException if the request has been answered
     */
    default void closeConnection(Map<Errors, Integer> errorCounts) {
        closeConnection();
    }

    /**
     * Tells what it took to check and convert the records of a request, for metrics and the request log. Called at most once,
     * before the request is answered.
     *
     * @param temporaryMemoryBytes memory used meanwhile, in bytes, at least 0
     * @param conversionNs time it took to convert records, in nanoseconds, at least 0
     */
    default void recordsConverted(long temporaryMemoryBytes, long conversionNs) {}

    /**
     * Holds the connection back after the answer, until {@link #endThrottle}: it is not read from. Called before the
     * request is answered.
     */
    void startThrottle();

    /** Lets the connection go on; called once for a {@link #startThrottle}, before or after the answer. */
    void endThrottle();

    /**
     * Comes back on a request handler thread, before requests that wait. Any thread may call it; a fault of the work is
     * treated like one of {@link RequestHandler#handle}.
     *
     * @param work the follow-up work; its {@link #local} is that of the thread it runs on
     */
    void later(Runnable work);

    /**
     * Says what to do when the answer is wanted before its time, since the connection is to end: for a handler that waits
     * for something (records, members of a group) and can answer with what there is. The work comes at most once, on a
     * request handler thread as that of {@link #later}, and only while the request has no answer; it may come while the
     * answer is given by another thread, so it tries to be first, and is content if it is not. If the answer is wanted
     * already, it comes at once. Any thread; called at most once for a request.
     *
     * @param work ends what the request waits for
     */
    default void whenHurried(Runnable work) {}
}
