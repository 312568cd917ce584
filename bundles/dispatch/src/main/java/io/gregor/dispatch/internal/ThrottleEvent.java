package io.gregor.dispatch.internal;

import io.gregor.internal.request.Outgoing;
import org.apache.kafka.common.network.Send;

/** Immutable. A throttle event on its way to a connection; nothing is written for it. */
enum ThrottleEvent implements Outgoing {
    START(Kind.START_THROTTLE),
    END(Kind.END_THROTTLE);

    private final Kind kind;

    ThrottleEvent(Kind kind) {
        this.kind = kind;
    }

    @Override
    public Kind kind() {
        return kind;
    }

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
