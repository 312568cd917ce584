package io.gregor.transport.internal;

import java.util.Arrays;

/** The largest value of the recent time. Written by one thread; shared: any thread reads. Fades as {@link WindowedSum} does. */
final class WindowedMax {
    /** There was no value. */
    static final long NONE = Long.MIN_VALUE;

    private final SampleWindows windows;
    private long windowEndsNs;
    private volatile long current = NONE;

    /** The largest values of the windows before the one that {@link #current} is of. */
    private volatile PastWindows past;

    WindowedMax(SampleWindows windows) {
        this.windows = windows;
        long[] none = new long[windows.count()];
        Arrays.fill(none, NONE);
        this.past = new PastWindows(-1, none);
        this.windowEndsNs = windows.beginNs(1);
    }

    /** Notes a value. The writing thread. */
    void note(long value, long nowNs) {
        if (nowNs - windowEndsNs >= 0) {
            turn(nowNs);
        }
        if (value > current) {
            current = value;
        }
    }

    /** The largest value of the recent time, {@link #NONE} if there was no value. */
    long recent(long nowNs) {
        PastWindows before = past;
        long oldest = windows.oldest(nowNs);
        long largest = before.last() + 1 >= oldest ? current : NONE;
        for (long window = oldest; window <= before.last(); window++) {
            largest = Math.max(largest, before.of(window));
        }
        return largest;
    }

    private void turn(long nowNs) {
        PastWindows before = past;
        long ended = before.last() + 1;
        long last = windows.index(nowNs) - 1;
        long[] largest = new long[windows.count()];
        for (int back = 0; back < largest.length; back++) {
            long window = last - back;
            largest[back] = window == ended ? current : window > ended ? NONE : before.of(window);
        }
        past = new PastWindows(last, largest);
        current = NONE;
        windowEndsNs = windows.beginNs(last + 2);
    }
}
