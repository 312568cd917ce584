package io.gregor.dispatch.internal;

import io.gregor.internal.plugin.Standing;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether, and for how long, requests wait for a handler when the last one of their key has left. Shared: any thread. They do
 * not wait for one that was said to go for good, nor when the node stops.
 */
final class HandlerGaps {
    private final Standings standings;
    private final LongSupplier clockNs;
    private final BooleanSupplier isNodeStopping;
    private volatile long timeoutNs;
    private volatile boolean closed;

    HandlerGaps(Standings standings, LongSupplier clockNs, BooleanSupplier isNodeStopping, long timeoutMs) {
        this.standings = standings;
        this.clockNs = clockNs;
        this.isNodeStopping = isNodeStopping;
        timeoutMs(timeoutMs);
    }

    /** Sets {@code gregor.handler.swap.timeout.ms}, which counts from now on, for gaps that are open too. */
    void timeoutMs(long timeoutMs) {
        timeoutNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    long timeoutMs() {
        return TimeUnit.NANOSECONDS.toMillis(timeoutNs);
    }

    /** Nothing waits any more. */
    void close() {
        closed = true;
    }

    /** Where the requests of a key wait that nobody serves any more; null if they do not. */
    @Nullable
    WaitingRequests of(ServedApi former) {
        BoundHandler handler = former.handler();
        WaitingRequests open = handler == null
                ? former.waiting()
                : new WaitingRequests(handler.bundle().id(), clockNs.getAsLong());
        return open != null && isAllowed(open) && leftNs(open) > 0 ? open : null;
    }

    /** How long they wait on; 0 or less if their time is over. */
    long leftNs(WaitingRequests open) {
        return open.sinceNs() + timeoutNs - clockNs.getAsLong();
    }

    /** For how long they have waited. */
    long sinceMs(WaitingRequests open) {
        return TimeUnit.NANOSECONDS.toMillis(clockNs.getAsLong() - open.sinceNs());
    }

    /** Whether a handler may come: the node goes on, and the last one has not gone for good. */
    boolean isAllowed(WaitingRequests open) {
        return !closed
                && !isNodeStopping.getAsBoolean()
                && standings.of(open.bundleId()).kind() != Standing.Kind.LEAVING;
    }
}
