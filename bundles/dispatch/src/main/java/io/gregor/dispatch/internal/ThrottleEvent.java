package io.gregor.dispatch.internal;

import io.gregor.internal.request.Outgoing;
import org.apache.kafka.common.network.Send;

/**
 * Immutable. A throttle event on its way to a connection; nothing is written for it.
 *
 * @param kind start or end
 * @param throttledUntilNs when the end is due; 0 if nobody knows
 */
record ThrottleEvent(Kind kind, long throttledUntilNs) implements Outgoing {
    static final ThrottleEvent START = new ThrottleEvent(Kind.START_THROTTLE, 0);
    static final ThrottleEvent END = new ThrottleEvent(Kind.END_THROTTLE, 0);

    @Override
    public Send send() {
        throw new IllegalStateException("kind=" + kind + " has no bytes");
    }

    @Override
    public void dequeued(long nowNs) {}

    @Override
    public void completed(long nowNs) {}

    @Override
    public void dropped() {}
}
