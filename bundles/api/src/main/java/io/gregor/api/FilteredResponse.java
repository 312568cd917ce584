package io.gregor.api;

import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A response on its way through the filters. Owned by the request handler thread of the call; not to be used after it. What a
 * filter does to it counts when the call has returned: if it throws, or does not return in time, it has changed nothing.
 */
@ProviderType
public interface FilteredResponse {
    /**
     * The API key of the request.
     *
     * @return a number of Kafka's own APIs or a new one (10000 to 32767)
     */
    short apiKey();

    /**
     * The API version of the request.
     *
     * @return 0 to 32767
     */
    short apiVersion();

    /**
     * Who asked, as {@link Request#context}.
     *
     * @return the context, immutable
     */
    RequestContext context();

    /**
     * The body of one of Kafka's own APIs, as the filters before have left it. Records of Fetch are where they are, in most
     * cases in a file: who does not read them does not copy them.
     *
     * @param type the response class of the API
     * @param <T> the response class of the API
     * @return the body; not to be changed in place, see {@link #replaceBody}
     * @throws ClassCastException if the API has another response class
     * @throws IllegalStateException for a new API key, which has only {@link #bodyBytes}
     */
    <T extends AbstractResponse> T body(Class<T> type);

    /**
     * The body of a new API key, as the filters before have left it.
     *
     * @return a read-only buffer of its own position
     * @throws IllegalStateException for one of Kafka's own APIs
     */
    ByteBuffer bodyBytes();

    /**
     * Puts another body in the place of the response's.
     *
     * @param body of the same API; not changed afterwards
     * @throws IllegalArgumentException if it is of another API
     */
    void replaceBody(AbstractResponse body);

    /**
     * The same for a new API key.
     *
     * @param body the bytes from position to limit; not changed afterwards
     * @throws IllegalStateException for one of Kafka's own APIs
     */
    void replaceBodyBytes(ByteBuffer body);

    /**
     * Puts the API's error response in the place of the response, as {@link FilteredRequest#refuse}.
     *
     * @param error the error
     * @param reason for the client, where the response has a place for it, and for the log at DEBUG
     */
    void refuse(Errors error, String reason);

    /**
     * What the filter has kept with {@link FilteredRequest#attach}.
     *
     * @return the attachment; null if there is none
     */
    @Nullable
    Object attachment();
}
