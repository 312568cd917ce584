package io.gregor.dispatch.internal;

import io.gregor.api.FilteredResponse;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * What one filter is shown of a response, and what it wants to become of it; that counts only when the call has returned
 * well. Owned by the thread of the call.
 */
final class ResponseCall implements FilteredResponse {
    private final ParsedRequest request;
    private final @Nullable Object attachment;
    private Answer answer;

    ResponseCall(ParsedRequest request, Answer answer, @Nullable Object attachment) {
        this.request = request;
        this.answer = answer;
        this.attachment = attachment;
    }

    @Override
    public short apiKey() {
        return request.apiKey();
    }

    @Override
    public short apiVersion() {
        return request.apiVersion();
    }

    @Override
    public RequestContext context() {
        return request.context();
    }

    @Override
    public <T extends AbstractResponse> T body(Class<T> type) {
        if (request.parsedBody() == null) {
            throw new IllegalStateException(
                    "apiKey=" + request.apiKey() + " is no Kafka API: its body is in bodyBytes()");
        }
        return type.cast(answer.response(request));
    }

    @Override
    public ByteBuffer bodyBytes() {
        request.requireNewKey();
        return answer.bytes(request).asReadOnlyBuffer();
    }

    @Override
    public void replaceBody(AbstractResponse body) {
        request.requireOwn(body);
        answer = Answer.of(body);
    }

    @Override
    public void replaceBodyBytes(ByteBuffer body) {
        request.requireNewKey();
        answer = Answer.of(body.slice().asReadOnlyBuffer(), null);
    }

    @Override
    public void refuse(Errors error, String reason) {
        answer = request.refusal(error, reason);
    }

    @Override
    public @Nullable Object attachment() {
        return attachment;
    }

    /** What the filter left. */
    Answer answer() {
        return answer;
    }
}
