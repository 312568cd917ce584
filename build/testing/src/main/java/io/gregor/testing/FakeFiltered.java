package io.gregor.testing;

import java.nio.ByteBuffer;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * What pretended requests and responses for filters have in common: their bodies can be replaced. Owned by the test's thread.
 *
 * @param <B> the class of parsed bodies
 */
abstract class FakeFiltered<B> extends FakeExchange<B> {
    private boolean isReplaced;

    FakeFiltered(RequestContext context, @Nullable B body, @Nullable ByteBuffer bytes) {
        super(context, body, bytes);
    }

    /** Whether the filter has put another body in its place. */
    public final boolean isReplaced() {
        return isReplaced;
    }

    /** Puts other bytes in the place of those of a new API key. */
    public final void replaceBodyBytes(ByteBuffer other) {
        bodyBytes();
        putBytes(other);
        isReplaced = true;
    }

    final void replace(B other) {
        put(other);
        isReplaced = true;
    }
}
