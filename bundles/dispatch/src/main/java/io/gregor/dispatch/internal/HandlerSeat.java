package io.gregor.dispatch.internal;

import java.util.concurrent.locks.LockSupport;

/**
 * The place of one handler thread at the request channel. {@code isExpected} and {@code isRetired} are guarded by the
 * channel's lock; {@link #sleep} is for the handler thread, {@link #call} for any.
 */
final class HandlerSeat {
    private final Thread thread;
    private volatile boolean called;

    /** Whether the thread is sure to come back soon: it was called, or does brief work. Guarded by the channel's lock. */
    boolean isExpected;

    /** Whether the thread ends when it comes back. Guarded by the channel's lock. */
    boolean isRetired;

    HandlerSeat(Thread thread) {
        this.thread = thread;
    }

    /** Forgets an earlier call. Under the channel's lock, before the seat can be found by callers. */
    void prepareSleep() {
        called = false;
    }

    /** Sleeps until called; at once if that was since {@link #prepareSleep}. An interrupt is cleared, not obeyed. */
    void sleep() {
        while (!called) {
            LockSupport.park(this);
            Thread.interrupted();
        }
    }

    /** Wakes the thread. */
    void call() {
        called = true;
        LockSupport.unpark(thread);
    }
}
