package io.gregor.dispatch.internal;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The place of one handler thread at the request channel. {@code isExpected} and {@code isRetired} are guarded by the
 * channel's lock; {@link #sleep} is for the handler thread, {@link #call} and {@link #idleNs} for any.
 */
final class HandlerSeat {
    private final Thread thread;
    private final LongSupplier clockNs;
    private volatile boolean called;

    /**
     * Twice the time slept until now; while asleep twice that time less the moment of falling asleep, and 1. One number, so
     * that who reads it sees one state.
     */
    private volatile long idle;

    /** Whether the thread is sure to come back soon: it was called, or does brief work. Guarded by the channel's lock. */
    boolean isExpected;

    /** Whether the thread ends when it comes back. Guarded by the channel's lock. */
    boolean isRetired;

    HandlerSeat(Thread thread) {
        this(thread, System::nanoTime);
    }

    HandlerSeat(Thread thread, LongSupplier clockNs) {
        this.thread = thread;
        this.clockNs = clockNs;
    }

    /** Forgets an earlier call. Under the channel's lock, before the seat can be found by callers. */
    void prepareSleep() {
        called = false;
    }

    /** Sleeps until called; at once if that was since {@link #prepareSleep}. An interrupt is cleared, not obeyed. */
    void sleep() {
        if (called) {
            return;
        }
        long before = idle;
        long sinceNs = clockNs.getAsLong();
        idle = (before - (sinceNs << 1)) | 1;
        while (!called) {
            LockSupport.park(this);
            Thread.interrupted();
        }
        idle = before + ((clockNs.getAsLong() - sinceNs) << 1);
    }

    /** How long the thread has slept until now. Any thread. */
    long idleNs(long nowNs) {
        long seen = idle;
        return (seen >> 1) + ((seen & 1) == 0 ? 0 : nowNs);
    }

    /** Wakes the thread. */
    void call() {
        called = true;
        LockSupport.unpark(thread);
    }
}
