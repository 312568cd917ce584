package io.gregor.dispatch.internal;

import io.gregor.internal.request.Connection;
import io.gregor.internal.request.Outgoing.Kind;
import org.apache.kafka.server.quota.ThrottleCallback;

/**
 * Immutable. Holds a connection back and lets it go, for a quota. Knows nothing of the request, which may be garbage by then.
 *
 * @param connection what is held back
 * @param client the client id, for the trace
 * @param api the name of the request's API, for the trace
 * @param untilNs when it is to end
 */
record ConnectionHold(Connection connection, String client, String api, long untilNs) implements ThrottleCallback {
    @Override
    public void startThrottling() {
        RequestTrace.throttled(Kind.START_THROTTLE, client, api);
        connection.post(new ThrottleEvent(Kind.START_THROTTLE, untilNs));
    }

    @Override
    public void endThrottling() {
        RequestTrace.throttled(Kind.END_THROTTLE, client, api);
        connection.post(ThrottleEvent.END);
    }
}
