package io.gregor.internal.dispatch;

import io.gregor.api.Request;
import java.nio.ByteBuffer;
import org.apache.kafka.common.requests.RequestContext;

/** Routes requests that came inside other requests. A service of dispatch, with the property {@code role}. */
public interface RequestRouter {
    /**
     * Hands the request inside an envelope to the handler of its API; its response becomes the envelope's (KIP-590).
     * Handler thread.
     *
     * @param envelope the request that is answered in the end
     * @param inner who originally asked, with the inner header
     * @param body the inner request's bytes after its header
     * @throws org.apache.kafka.common.errors.UnsupportedVersionException if the inner body cannot be parsed, or its API or
     *     version is not served here; the envelope is not answered then
     */
    void routeEmbedded(Request envelope, RequestContext inner, ByteBuffer body);
}
