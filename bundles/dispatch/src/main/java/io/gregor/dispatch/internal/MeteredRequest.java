package io.gregor.dispatch.internal;

import io.gregor.internal.request.Metered;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.ThrottleCallback;
import org.jspecify.annotations.Nullable;

/**
 * A request that quotas may hold its client back for. Its answer says for how long: the longest time that a quota demands, or
 * what the answer says already, which is what the controller demands of a forwarded request. Handed from thread to thread;
 * by whoever answers.
 */
abstract class MeteredRequest extends AnsweredRequest implements Metered {
    private static final int NOT_RECORDED = -1;

    private int timeThrottleMs = NOT_RECORDED;
    private int otherThrottleMs;
    private @Nullable ClientQuotaType other;

    MeteredRequest(RequestContext context, int bodySize) {
        super(context, bodySize);
    }

    /** Records its time, if there is a quota of time; how long its client is to be held back, in milliseconds. */
    abstract int meter();

    @Override
    public final int sizeInBytes() {
        return context().header.size() + bodySize();
    }

    @Override
    public final int recordTime() {
        if (timeThrottleMs == NOT_RECORDED) {
            timeThrottleMs = meter();
        }
        return timeThrottleMs;
    }

    @Override
    public final void throttle(ClientQuotaType type, int throttleTimeMs) {
        if (throttleTimeMs > otherThrottleMs) {
            otherThrottleMs = throttleTimeMs;
            other = type;
        }
    }

    /** How long quotas other than that of time hold the client back, in milliseconds. */
    final int otherThrottleMs() {
        return otherThrottleMs;
    }

    /** Records its time and returns how long its client is held back, in milliseconds. */
    final int settle() {
        return Math.max(recordTime(), otherThrottleMs);
    }

    /** The same with what the response says, which then says it all. */
    final int settle(AbstractResponse response) {
        int quotasMs = settle();
        if (quotasMs == 0) {
            return response.throttleTimeMs();
        }
        int throttleTimeMs = Math.max(quotasMs, response.throttleTimeMs());
        response.maybeSetThrottleTimeMs(throttleTimeMs);
        return throttleTimeMs;
    }

    /** Holds the client back for this time, as the quota that demands the longest one. */
    final void hold(QuotaMeter meter, int throttleTimeMs, ThrottleCallback callback) {
        ClientQuotaType type = other != null && otherThrottleMs > timeThrottleMs ? other : ClientQuotaType.REQUEST;
        meter.throttle(type, context(), throttleTimeMs, callback);
        heldFor(throttleTimeMs);
    }
}
