package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.EngineThread;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the wait for handlers that do not come: a thread that is there while something waits, and sleeps until the next
 * deadline. Shared: any thread; see {@code wake}.
 */
final class GapTimer implements AutoCloseable {
    /** What {@code work} returns when nothing waits. */
    static final long NOTHING = Long.MAX_VALUE;

    private static final Logger LOGGER = LoggerFactory.getLogger(GapTimer.class);

    private final String name;
    private final LongSupplier work;

    @GuardedBy("this")
    private @Nullable Thread thread;

    @GuardedBy("this")
    private boolean woken;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param name of the thread
     * @param work ends what is due; returns after how many nanoseconds it wants to be called again, or {@link #NOTHING}
     */
    GapTimer(String name, LongSupplier work) {
        this.name = name;
        this.work = work;
    }

    /** Has it look at once: there is another deadline. */
    synchronized void wake() {
        woken = true;
        if (thread != null) {
            LockSupport.unpark(thread);
        } else if (!closed) {
            thread = EngineThread.daemon(name, this::run);
            thread.start();
        }
    }

    /** Ends the thread. */
    @Override
    public synchronized void close() {
        closed = true;
        wake();
    }

    private void run() {
        try {
            while (begins()) {
                long leftNs = work.getAsLong();
                if (ends(leftNs)) {
                    return;
                }
                LockSupport.parkNanos(this, leftNs);
            }
        } catch (Throwable fault) {
            LOGGER.error("timer of waiting requests failed: thread={}", name, fault);
            forget();
        }
    }

    private synchronized boolean begins() {
        woken = false;
        thread = closed ? null : thread;
        return !closed;
    }

    private synchronized boolean ends(long leftNs) {
        if (leftNs != NOTHING || woken) {
            return false;
        }
        thread = null;
        return true;
    }

    private synchronized void forget() {
        thread = null;
    }
}
