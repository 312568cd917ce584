package io.gregor.broker.internal;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.EnvelopeResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.server.common.ControllerRequestCompletionHandler;
import org.apache.kafka.server.metrics.ForwardingManagerMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way to the controller: makes of what comes back the response for the client. Immutable; completed once,
 * on the channel's thread.
 *
 * @param header the client's header
 * @param body what was forwarded, for its error responses
 * @param sentMs when it was handed to the channel, milliseconds of the wall clock
 * @param timeoutMs how long the channel tries
 * @param metrics counts and times of forwarded requests
 * @param done takes the response, empty if the controller does not know the version
 */
record ForwardedRequest(
        RequestHeader header,
        AbstractRequest body,
        long sentMs,
        long timeoutMs,
        ForwardingManagerMetrics metrics,
        Consumer<Optional<AbstractResponse>> done)
        implements ControllerRequestCompletionHandler {
    private static final Logger LOGGER = LoggerFactory.getLogger(ForwardedRequest.class);

    @Override
    public void onComplete(ClientResponse response) {
        metrics.decrementQueueLength();
        metrics.remoteTimeMsHist().record(response.requestLatencyMs());
        metrics.queueTimeMsHist().record(response.receivedTimeMs() - response.requestLatencyMs() - sentMs);
        finish(answer(response));
    }

    @Override
    public void onTimeout() {
        metrics.decrementQueueLength();
        metrics.queueTimeMsHist().record(timeoutMs);
        finish(Optional.of(body.getErrorResponse(new TimeoutException())));
    }

    private Optional<AbstractResponse> answer(ClientResponse response) {
        if (response.versionMismatch() != null) {
            return unknownError("the controller does not know envelopes", response.versionMismatch());
        }
        if (response.authenticationException() != null) {
            return unknownError("the controller refused this broker", response.authenticationException());
        }
        EnvelopeResponse envelope = (EnvelopeResponse) response.responseBody();
        return switch (envelope.error()) {
            case NONE -> Optional.of(parse(envelope.responseData()));
            case UNSUPPORTED_VERSION -> Optional.empty();
            default -> unknownError("the envelope failed", envelope.error().exception());
        };
    }

    private AbstractResponse parse(ByteBuffer bytes) {
        try {
            return AbstractResponse.parseResponse(bytes, header);
        } catch (RuntimeException fault) {
            LOGGER.error("forwarded response cannot be read: header={}", header, fault);
            return body.getErrorResponse(Errors.UNKNOWN_SERVER_ERROR.exception());
        }
    }

    private Optional<AbstractResponse> unknownError(String what, Exception cause) {
        LOGGER.debug("answering UNKNOWN_SERVER_ERROR to a forwarded request, {}: header={}", what, header, cause);
        return Optional.of(body.getErrorResponse(Errors.UNKNOWN_SERVER_ERROR.exception()));
    }

    private void finish(Optional<AbstractResponse> answer) {
        try {
            done.accept(answer);
        } catch (RuntimeException fault) {
            LOGGER.error("forwarded request could not be answered: header={}", header, fault);
        }
    }
}
