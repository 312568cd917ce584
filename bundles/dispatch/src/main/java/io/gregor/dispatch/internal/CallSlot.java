package io.gregor.dispatch.internal;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The filter call that a handler thread is in. Owned by that thread, but for what is said to be for others. While
 * {@code number} is odd the thread is inside, and what stands beside it belongs to the call of that number.
 *
 * <pre>
 *  outside (even) ──begin──▶ inside (odd) ──end──▶ outside (even)
 *                                │
 *                                └──take──▶ TAKEN: the call is given up, and its thread lost
 * </pre>
 */
final class CallSlot {
    /** There is no call. */
    static final long NO_CALL = Long.MAX_VALUE;

    private static final AtomicLongFieldUpdater<CallSlot> NUMBER =
            AtomicLongFieldUpdater.newUpdater(CallSlot.class, "number");

    private static final long TAKEN = -2;

    private final Thread thread;
    private final LongSupplier clockNs;
    private final LongSupplier allocatedBytes;
    private volatile long number;
    private long ownNumber;
    private @Nullable BoundFilter filter;
    private @Nullable FilterPass pass;
    private int at;
    private long startNs;
    private long startBytes;
    private long callNs;
    private long callBytes;

    /** What the watch saw last; owned by it. */
    private long seenNumber;

    /**
     * @param clockNs the time
     * @param allocatedBytes what the calling thread has allocated until now
     */
    CallSlot(Thread thread, LongSupplier clockNs, LongSupplier allocatedBytes) {
        this.thread = thread;
        this.clockNs = clockNs;
        this.allocatedBytes = allocatedBytes;
    }

    Thread thread() {
        return thread;
    }

    /** The thread is about to call a filter, the one at this place of the request's. */
    void begin(BoundFilter called, FilterPass of, int place) {
        filter = called;
        pass = of;
        at = place;
        startNs = clockNs.getAsLong();
        ownNumber++;
        number = ownNumber;
        startBytes = allocatedBytes.getAsLong();
    }

    /**
     * The call has returned. An interrupt that it left behind is cleared: with it, the next read of a log would close the
     * log's file.
     *
     * @return false if it was given up meanwhile: the thread leaves everything alone
     */
    boolean end() {
        callBytes = allocatedBytes.getAsLong() - startBytes;
        callNs = clockNs.getAsLong() - startNs;
        Thread.interrupted();
        long inside = ownNumber;
        ownNumber++;
        if (!NUMBER.compareAndSet(this, inside, ownNumber)) {
            return false;
        }
        filter = null;
        pass = null;
        return true;
    }

    /** How long the last call took. */
    long callNs() {
        return callNs;
    }

    /** How much it allocated. */
    long callBytes() {
        return callBytes;
    }

    private static boolean isInside(long number) {
        return (number & 1) != 0;
    }

    /** Whether the thread is in a filter. Any thread. */
    boolean isInside() {
        return isInside(number);
    }

    /** Whether the thread is in this filter. Any thread. */
    boolean isIn(BoundFilter asked) {
        return isInside(number) && filter == asked;
    }

    /** How long the call may still take; 0 or less if it is over its limit, {@link #NO_CALL} if there is none. Any thread. */
    long leftNs(long nowNs) {
        long seen = number;
        BoundFilter called = filter;
        long sinceNs = startNs;
        return isInside(seen) && called != null && number == seen ? called.limitNs() - (nowNs - sinceNs) : NO_CALL;
    }

    /** Whether there is a call, or was one since this was asked last. The watch only. */
    boolean hasMoved() {
        long seen = number;
        boolean moved = seen != seenNumber || isInside(seen);
        seenNumber = seen;
        return moved;
    }

    /** Takes the call away from its thread if it is over its limit; null if it is not, or has just returned. The watch only. */
    @Nullable
    LostCall take(long nowNs) {
        long seen = number;
        BoundFilter called = filter;
        FilterPass of = pass;
        int place = at;
        long tookNs = nowNs - startNs;
        if (!isInside(seen) || called == null || of == null || tookNs < called.limitNs()) {
            return null;
        }
        return NUMBER.compareAndSet(this, seen, TAKEN) ? new LostCall(thread, called, of, place, tookNs) : null;
    }

    /**
     * A call that was given up. Immutable.
     *
     * @param thread the lost thread
     * @param filter where it is
     * @param pass the request that it was with
     * @param at the place of the filter among the request's
     * @param ns how long it has been there
     */
    record LostCall(Thread thread, BoundFilter filter, FilterPass pass, int at, long ns) {}
}
