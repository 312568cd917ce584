package io.gregor.transport.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What part of the time something lasts, as a thread's sleep. One thread at a time tells when it begins and ends; shared:
 * any thread reads, also while it lasts, so that nobody has to be woken for the value to be right.
 */
final class TimeShare {
    private static final VarHandle STATE = handle();

    private final SampleWindows windows;

    /**
     * Twice the time so far; or, while it lasts, twice the time so far less the time of its begin, and 1: one word, so that
     * readers see both or neither. Times count from the start of the windows.
     */
    private long state;

    private long windowEndsNs;

    /** How long it had lasted when the windows began. */
    private volatile PastWindows past;

    TimeShare(SampleWindows windows) {
        this.windows = windows;
        this.past = new PastWindows(0, new long[windows.count()]);
        this.windowEndsNs = windows.beginNs(1);
    }

    /** It begins. The writing thread. */
    void begin(long nowNs) {
        turnIfDue(nowNs);
        STATE.setOpaque(this, (((state >> 1) - (nowNs - windows.startNs())) << 1) | 1);
    }

    /** It ends. The writing thread. */
    void end(long nowNs) {
        turnIfDue(nowNs);
        STATE.setOpaque(this, at(state, nowNs) << 1);
    }

    /** How long it has lasted in all. */
    long totalNs(long nowNs) {
        return at((long) STATE.getOpaque(this), nowNs);
    }

    /** How long it lasted in the recent time. */
    long recentNs(long nowNs) {
        long now = (long) STATE.getOpaque(this); // before the past, as in a sum
        return Math.max(0, at(now, nowNs) - atBegin(past, windows.oldest(nowNs), now));
    }

    /** The part of the recent time that it lasted, from 0 to 1. */
    double ratio(long nowNs) {
        return Math.min(1.0, (double) recentNs(nowNs) / windows.recentNs(nowNs));
    }

    private void turnIfDue(long nowNs) {
        if (nowNs - windowEndsNs >= 0) {
            PastWindows before = past;
            long index = windows.index(nowNs);
            long[] begins = new long[windows.count()];
            for (int back = 0; back < begins.length; back++) {
                begins[back] = atBegin(before, index - back, state);
            }
            past = new PastWindows(index, begins);
            windowEndsNs = windows.beginNs(index + 1);
        }
    }

    /** A window that nobody has turned to yet began in the state of now. */
    private long atBegin(PastWindows known, long window, long now) {
        return window > known.last() ? at(now, windows.beginNs(window)) : known.of(window);
    }

    private long at(long now, long timeNs) {
        return (now & 1) == 0 ? now >> 1 : (now >> 1) + timeNs - windows.startNs();
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(TimeShare.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
