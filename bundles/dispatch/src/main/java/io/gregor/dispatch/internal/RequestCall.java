package io.gregor.dispatch.internal;

import io.gregor.api.FilteredRequest;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * What one filter is shown of a request, and what it wants to become of it; that counts only when the call has returned
 * well. So a call that throws, or whose thread is lost, has changed nothing. Owned by the thread of the call.
 */
final class RequestCall implements FilteredRequest {
    private final ParsedRequest request;
    private @Nullable AbstractRequest body;
    private @Nullable ByteBuffer bytes;
    private @Nullable Answer answer;
    private @Nullable Object attachment;

    RequestCall(ParsedRequest request) {
        this.request = request;
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
    public int sizeBytes() {
        return request.bodySize();
    }

    @Override
    public <T extends AbstractRequest> T body(Class<T> type) {
        return body == null ? request.body(type) : type.cast(body);
    }

    @Override
    public ByteBuffer bodyBytes() {
        request.requireNewKey();
        return bytes == null ? request.bodyBytes() : bytes.asReadOnlyBuffer();
    }

    @Override
    public void replaceBody(AbstractRequest replacement) {
        AbstractRequest before = request.parsedBody();
        if (before == null || before.apiKey() != replacement.apiKey() || before.version() != replacement.version()) {
            throw new IllegalArgumentException("body of apiKey=" + replacement.apiKey().id + " apiVersion="
                    + replacement.version() + " is not for " + request);
        }
        body = replacement;
    }

    @Override
    public void replaceBodyBytes(ByteBuffer replacement) {
        request.requireNewKey();
        bytes = replacement.slice().asReadOnlyBuffer();
    }

    @Override
    public void answer(AbstractResponse response) {
        request.requireOwn(response);
        end(Answer.of(response));
    }

    @Override
    public void answerBytes(ByteBuffer response) {
        request.requireNewKey();
        end(Answer.of(response.slice().asReadOnlyBuffer(), null));
    }

    @Override
    public void refuse(Errors error, String reason) {
        end(request.refusal(error, reason));
    }

    @Override
    public void attach(Object object) {
        attachment = object;
    }

    private void end(Answer given) {
        if (answer != null) {
            throw new IllegalStateException("answered or refused before: " + request);
        }
        answer = given;
    }

    /** Does to the request what the filter wanted; the answer, if it gave one. */
    @Nullable
    Answer carryOut() {
        if (body != null) {
            request.replaceBody(body);
        }
        if (bytes != null) {
            request.replaceBodyBytes(bytes);
        }
        return answer;
    }

    @Nullable
    Object attachment() {
        return attachment;
    }
}
