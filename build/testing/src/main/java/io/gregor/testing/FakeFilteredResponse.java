package io.gregor.testing;

import io.gregor.api.FilteredResponse;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/** A response for a filter, made by a test, which keeps what became of it. Owned by the test's thread. */
public final class FakeFilteredResponse extends FakeFiltered<AbstractResponse> implements FilteredResponse {
    private final @Nullable Object attachment;
    private @Nullable Errors refusal;

    private FakeFilteredResponse(
            RequestContext context,
            @Nullable AbstractResponse body,
            @Nullable ByteBuffer bytes,
            @Nullable Object attachment) {
        super(context, body, bytes);
        this.attachment = attachment;
    }

    /** The response to a request that the filter has seen. */
    public static FakeFilteredResponse to(FakeFilteredRequest request, AbstractResponse body) {
        return new FakeFilteredResponse(request.context(), body, null, request.attachment());
    }

    /** The same for a new API key, with the bytes from position to limit as its body. */
    public static FakeFilteredResponse to(FakeFilteredRequest request, ByteBuffer bytes) {
        return new FakeFilteredResponse(request.context(), null, bytes.slice(), request.attachment());
    }

    /** Whether the filter did nothing to it. */
    public boolean hasPassed() {
        return !isReplaced() && refusal == null;
    }

    /** The error that the filter has put in its place; null if none. */
    public @Nullable Errors refusal() {
        return refusal;
    }

    @Override
    public <T extends AbstractResponse> T body(Class<T> type) {
        return type.cast(ownBody());
    }

    @Override
    public void replaceBody(AbstractResponse other) {
        if (other.apiKey() != ownBody().apiKey()) {
            throw new IllegalArgumentException("body of another API: apiKey=" + other.apiKey());
        }
        replace(other);
    }

    @Override
    public void refuse(Errors error, String reason) {
        refusal = error;
    }

    @Override
    public @Nullable Object attachment() {
        return attachment;
    }
}
