package io.gregor.transport.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A running total, and how much of it came in the recent time. Written by one thread; shared: any thread reads, and sees
 * what was true a moment ago. Nothing has to happen for old amounts to fade: what the total was when a window began is kept
 * by the first {@link #add} after it, as it has not changed in between. Opaque access, so that counting costs no fence.
 */
final class WindowedSum {
    private static final VarHandle TOTAL = handle();

    private final SampleWindows windows;
    private long total;
    private long windowEndsNs;

    /** The totals when the windows began. */
    private volatile PastWindows past;

    WindowedSum(SampleWindows windows) {
        this.windows = windows;
        this.past = new PastWindows(0, new long[windows.count()]);
        this.windowEndsNs = windows.beginNs(1);
    }

    /** Adds to the total. The writing thread. */
    void add(long amount, long nowNs) {
        if (nowNs - windowEndsNs >= 0) {
            turn(nowNs);
        }
        TOTAL.setOpaque(this, total + amount);
    }

    long total() {
        return (long) TOTAL.getOpaque(this);
    }

    /** What was added in the recent time. */
    long recent(long nowNs) {
        long now = total(); // before the past: else what is added in between were taken for old
        return Math.max(0, now - atBegin(past, windows.oldest(nowNs), now));
    }

    /** The recent amount in a second. */
    double perSecond(long nowNs) {
        return windows.perSecond(recent(nowNs), nowNs);
    }

    /** A sum of nanoseconds as the part of the recent time, from 0 to 1. */
    double ratio(long nowNs) {
        return Math.min(1.0, (double) recent(nowNs) / windows.recentNs(nowNs));
    }

    private void turn(long nowNs) {
        PastWindows before = past;
        long index = windows.index(nowNs);
        long[] begins = new long[windows.count()];
        for (int back = 0; back < begins.length; back++) {
            begins[back] = atBegin(before, index - back, total);
        }
        past = new PastWindows(index, begins);
        windowEndsNs = windows.beginNs(index + 1);
    }

    /** Nothing was added since a window began that is not among those known. */
    private static long atBegin(PastWindows known, long window, long now) {
        return window > known.last() ? now : known.of(window);
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(WindowedSum.class, "total", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
