package io.gregor.dispatch.internal;

import io.gregor.internal.request.Outgoing.Kind;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Kafka's request and request channel log at TRACE of each request, by their loggers. Immutable. */
final class RequestTrace {
    private static final Logger RECEIVED = LoggerFactory.getLogger("org.apache.kafka.network.Request");
    private static final Logger ANSWERED = LoggerFactory.getLogger("kafka.network.RequestChannel$");

    private RequestTrace() {}

    /** A request was taken, out of an envelope if there is one. Kafka's own text masks what is secret only without argument. */
    static void received(ParsedRequest request, @Nullable RequestContext envelope) {
        if (RECEIVED.isTraceEnabled()) {
            AbstractRequest body = request.parsedBody();
            RECEIVED.trace(
                    "Processor {} received request: {}{} -- {}",
                    processor(request.context().connectionId),
                    envelope == null ? "" : "Forwarded request: " + envelope + " ",
                    request.apiKey() < ApiTable.FIRST_NEW_KEY ? request.context().header : request,
                    body == null
                            ? request.bodySize() + " bytes"
                            : RequestSecrets.withoutSettings(body).toString());
        }
    }

    /** A request was answered. */
    static void answered(ParsedRequest request, Kind kind, @Nullable Send send) {
        if (ANSWERED.isTraceEnabled()) {
            String client = request.context().header.clientId();
            String api = request.apiName();
            switch (kind) {
                case SEND ->
                    ANSWERED.trace(
                            "Sending {} response to client {} of {} bytes.",
                            api,
                            client,
                            send == null ? 0 : send.size());
                case NOTHING ->
                    ANSWERED.trace("Not sending {} response to client {} as it's not required.", api, client);
                case CLOSE -> ANSWERED.trace("Closing connection for client {} due to error during {}.", client, api);
                case START_THROTTLE, END_THROTTLE -> throttled(kind, client, api);
            }
        }
    }

    /** A connection is held back, or let go. */
    static void throttled(Kind kind, String client, String api) {
        if (ANSWERED.isTraceEnabled()) {
            ANSWERED.trace(
                    "Notifying channel throttling has {} for client {} for {}",
                    kind == Kind.START_THROTTLE ? "started" : "ended",
                    client,
                    api);
        }
    }

    /** The processor that accepted the connection, which is the last part but one of its id. */
    private static String processor(String connectionId) {
        int last = connectionId.lastIndexOf('-');
        int first = connectionId.lastIndexOf('-', last - 1);
        return first < 0 ? connectionId : connectionId.substring(first + 1, last);
    }
}
