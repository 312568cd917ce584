package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.dispatch.internal.CallSlot.LostCall;
import io.gregor.internal.node.EngineThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared: any thread; see {@code slot} and {@code look}. Knows the filter call that each handler thread of a role is in, and
 * gives up those that are over their limits. Its own thread is there only while there are filters. It looks as often as the
 * shortest limit, so that it finds each call in time to wait for its deadline, and sleeps for good while there are none.
 */
final class FilterWatch {
    /** Nobody needs to be watched. */
    static final long NO_LIMIT = Long.MAX_VALUE;

    private static final Logger LOGGER = LoggerFactory.getLogger(FilterWatch.class);
    private static final long DRAIN_PAUSE_NS = Duration.ofMillis(1).toNanos();

    /** Replaces handler threads that are lost. */
    interface Replacement {
        /** Puts another thread in its place; what the lost one is called now. */
        String replace(Thread lost);
    }

    private final String name;
    private final Replacement threads;
    private final LongSupplier clockNs;
    private final LongSupplier allocatedBytes;
    private final List<CallSlot> slots = new CopyOnWriteArrayList<>();
    private final ThreadLocal<CallSlot> mine = ThreadLocal.withInitial(this::newSlot);
    private volatile boolean asleep;
    private volatile long shortestLimitNs = NO_LIMIT;

    @GuardedBy("this")
    private @Nullable Thread watching;

    /**
     * @param name of its thread
     * @param clockNs the time
     * @param allocatedBytes what the calling thread has allocated until now
     */
    FilterWatch(String name, Replacement threads, LongSupplier clockNs, LongSupplier allocatedBytes) {
        this.name = name;
        this.threads = threads;
        this.clockNs = clockNs;
        this.allocatedBytes = allocatedBytes;
    }

    LongSupplier clockNs() {
        return clockNs;
    }

    /** The slot of the calling handler thread. */
    CallSlot slot() {
        return mine.get();
    }

    private CallSlot newSlot() {
        CallSlot added = new CallSlot(Thread.currentThread(), clockNs, allocatedBytes);
        slots.add(added);
        return added;
    }

    /** A call has begun, and its slot says so. */
    void begun() {
        if (asleep) {
            wake();
        }
    }

    private synchronized void wake() {
        asleep = false;
        if (watching != null) {
            LockSupport.unpark(watching);
        }
    }

    /** Watches calls of which none has a shorter limit than this; {@link #NO_LIMIT} lets the thread end. */
    synchronized void watch(long limitNs) {
        shortestLimitNs = limitNs;
        if (watching == null && limitNs != NO_LIMIT) {
            watching = EngineThread.daemon(name, this::run);
            watching.start();
        }
        wake();
    }

    private void run() {
        while (!ends()) {
            long waitNs = look(clockNs.getAsLong());
            if (waitNs != NO_LIMIT) {
                LockSupport.parkNanos(this, waitNs);
            } else {
                asleep = true;
                if (slots.stream().noneMatch(CallSlot::hasMoved) && shortestLimitNs != NO_LIMIT) {
                    LockSupport.park(this);
                }
                asleep = false;
            }
        }
    }

    private synchronized boolean ends() {
        boolean ends = shortestLimitNs == NO_LIMIT && slots.stream().noneMatch(CallSlot::isInside);
        if (ends) {
            watching = null;
        }
        return ends;
    }

    /** Gives up what is over its limit; how long it is until the next look, {@link #NO_LIMIT} if it waits for a call. */
    long look(long nowNs) {
        long waitNs = NO_LIMIT;
        boolean moved = false;
        for (CallSlot slot : List.copyOf(slots)) {
            LostCall lost = slot.take(nowNs);
            if (lost != null) {
                slots.remove(slot);
                lost.filter().giveUp(lost.pass().apiKey(), lost.ns(), threads.replace(lost.thread()));
                lost.pass().lost(lost.at());
            } else if (slot.thread().isAlive()) {
                moved |= slot.hasMoved();
                waitNs = Math.min(waitNs, slot.leftNs(nowNs));
            } else {
                slots.remove(slot);
            }
        }
        return moved ? Math.max(1, Math.min(waitNs, shortestLimitNs)) : waitNs;
    }

    /** Waits until no thread is in a filter that has left, but not longer than this. */
    void awaitOutside(BoundFilter left, Duration limit) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (slots.stream().anyMatch(slot -> slot.isIn(left))) {
            if (deadlineNs - System.nanoTime() <= 0) {
                LOGGER.warn("filter left while a request was still in it: filter={}", left.name());
                return;
            }
            LockSupport.parkNanos(this, DRAIN_PAUSE_NS);
        }
    }
}
