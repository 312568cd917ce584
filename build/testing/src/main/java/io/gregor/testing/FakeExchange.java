package io.gregor.testing;

import java.nio.ByteBuffer;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * What pretended requests and responses have in common: a header, and a parsed body or, of a new API key, bytes. Owned by the
 * test's thread.
 *
 * @param <B> the class of parsed bodies
 */
abstract class FakeExchange<B> {
    private final RequestContext context;
    private @Nullable B body;
    private @Nullable ByteBuffer bytes;

    FakeExchange(RequestContext context, @Nullable B body, @Nullable ByteBuffer bytes) {
        this.context = context;
        this.body = body;
        this.bytes = bytes;
    }

    /** As in the header. */
    public final short apiKey() {
        return context.header.data().requestApiKey();
    }

    /** As in the header. */
    public final short apiVersion() {
        return context.header.apiVersion();
    }

    /** Who asks. */
    public final RequestContext context() {
        return context;
    }

    /** The body of a new API key. */
    public final ByteBuffer bodyBytes() {
        if (bytes == null) {
            throw new IllegalStateException("one of Kafka's own APIs has a parsed body: apiKey=" + apiKey());
        }
        return bytes.asReadOnlyBuffer();
    }

    /** The body of one of Kafka's own APIs. */
    final B ownBody() {
        if (body == null) {
            throw new IllegalStateException("a new API key has no parsed body: apiKey=" + apiKey());
        }
        return body;
    }

    final void put(B other) {
        body = other;
    }

    final void putBytes(ByteBuffer other) {
        bytes = other.slice();
    }
}
