package io.gregor.testing;

import io.gregor.api.FilteredRequest;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * A request for a filter, made by a test, which keeps what became of it. Owned by the test's thread.
 */
public final class FakeFilteredRequest extends FakeFiltered<AbstractRequest> implements FilteredRequest {
    private final int sizeBytes;
    private @Nullable Object answer;
    private @Nullable Errors refusal;
    private @Nullable Object attachment;

    private FakeFilteredRequest(
            RequestContext context, @Nullable AbstractRequest body, @Nullable ByteBuffer bytes, int sizeBytes) {
        super(context, body, bytes);
        this.sizeBytes = sizeBytes;
    }

    /** A request of one of Kafka's own APIs, over the listener PLAINTEXT. */
    public FakeFilteredRequest(AbstractRequest body) {
        this(
                FakeRequest.context(body.apiKey(), body.version(), "PLAINTEXT"),
                body,
                null,
                body.serialize().buffer().remaining());
    }

    /** A request of a new API key, with the bytes from position to limit as its body. */
    public static FakeFilteredRequest ofBytes(int apiKey, int version, ByteBuffer bytes) {
        return new FakeFilteredRequest(
                FakeRequest.context(apiKey, version, "PLAINTEXT"), null, bytes.slice(), bytes.remaining());
    }

    /** Whether the filter did nothing to it. */
    public boolean hasPassed() {
        return !isReplaced() && answer == null && refusal == null;
    }

    /** What the filter has answered, a response or bytes; null if nothing. */
    public @Nullable Object answer() {
        return answer;
    }

    /** The error that the filter has refused it with; null if it has not. */
    public @Nullable Errors refusal() {
        return refusal;
    }

    /** What the filter keeps for the response; null if nothing. */
    public @Nullable Object attachment() {
        return attachment;
    }

    @Override
    public int sizeBytes() {
        return sizeBytes;
    }

    @Override
    public <T extends AbstractRequest> T body(Class<T> type) {
        return type.cast(ownBody());
    }

    @Override
    public void replaceBody(AbstractRequest other) {
        AbstractRequest former = ownBody();
        if (other.apiKey() != former.apiKey() || other.version() != former.version()) {
            throw new IllegalArgumentException(
                    "body of another API or version: apiKey=" + other.apiKey() + " apiVersion=" + other.version());
        }
        replace(other);
    }

    @Override
    public void answer(AbstractResponse response) {
        end();
        answer = response;
    }

    @Override
    public void answerBytes(ByteBuffer response) {
        end();
        answer = response;
    }

    @Override
    public void refuse(Errors error, String reason) {
        end();
        refusal = error;
    }

    private void end() {
        if (answer != null || refusal != null) {
            throw new IllegalStateException("the request was answered or refused before: apiKey=" + apiKey());
        }
    }

    @Override
    public void attach(Object kept) {
        attachment = kept;
    }
}
