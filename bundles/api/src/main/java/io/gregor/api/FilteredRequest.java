package io.gregor.api;

import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A request on its way through the filters. Owned by the request handler thread of the call; not to be used after it. What a
 * filter does to it counts when the call has returned: if it throws, or does not return in time, it has changed nothing.
 */
@ProviderType
public interface FilteredRequest {
    /**
     * The API key of the header.
     *
     * @return a number of Kafka's own APIs or a new one (10000 to 32767)
     */
    short apiKey();

    /**
     * The API version of the header.
     *
     * @return 0 to 32767
     */
    short apiVersion();

    /**
     * Who asks, as {@link Request#context}.
     *
     * @return the context, immutable
     */
    RequestContext context();

    /**
     * How many bytes the client sent after the header.
     *
     * @return bytes, at least 0
     */
    int sizeBytes();

    /**
     * The parsed body of one of Kafka's own APIs, as the filters before have left it. Its records (Produce) refer to the
     * receive buffer: they are read in place, and copied by those only who change them.
     *
     * @param type the request class of the API
     * @param <T> the request class of the API
     * @return the body; not to be changed in place, see {@link #replaceBody}
     * @throws ClassCastException if the API has another request class
     * @throws IllegalStateException for a new API key, which has only {@link #bodyBytes}
     */
    <T extends AbstractRequest> T body(Class<T> type);

    /**
     * The body of a new API key, as the filters before have left it.
     *
     * @return a read-only buffer of its own position
     * @throws IllegalStateException for one of Kafka's own APIs
     */
    ByteBuffer bodyBytes();

    /**
     * Puts another body in the place of the request's: filters behind and the handler see that.
     *
     * @param body of the same API and version; not changed afterwards
     * @throws IllegalArgumentException if it is of another API or version
     */
    void replaceBody(AbstractRequest body);

    /**
     * The same for a new API key.
     *
     * @param body the bytes from position to limit; not changed afterwards
     * @throws IllegalStateException for one of Kafka's own APIs
     */
    void replaceBodyBytes(ByteBuffer body);

    /**
     * Answers the request instead of its handler.
     *
     * @param response of the same API
     * @throws IllegalArgumentException if it is of another API
     * @throws IllegalStateException if it was answered or refused before
     */
    void answer(AbstractResponse response);

    /**
     * The same for a new API key.
     *
     * @param body the bytes of the response's body, from position to limit; not changed afterwards
     * @throws IllegalStateException if it was answered or refused before, or for one of Kafka's own APIs
     */
    void answerBytes(ByteBuffer body);

    /**
     * Refuses the request: the client gets the error response of the API, with the error wherever the response has a place
     * for one. Where no response is expected (acks=0), and for a new API key, the connection is closed.
     *
     * @param error the error, as {@code POLICY_VIOLATION}; not {@code NONE}
     * @param reason for the client, where the response has a place for it, and for the log at DEBUG
     * @throws IllegalArgumentException if the error is {@code NONE}
     * @throws IllegalStateException if it was answered or refused before
     */
    void refuse(Errors error, String reason);

    /**
     * Keeps something of the filter's own for the response of the same request.
     *
     * @param attachment what {@link FilteredResponse#attachment} gives to the same filter
     */
    void attach(Object attachment);
}
