package io.gregor.transport.internal;

/** One value for each of the last windows. Immutable. */
final class PastWindows {
    private final long last;
    private final long[] values;

    /** Values of the window with this number ({@code values[0]}), and of those before it; not changed by the caller again. */
    PastWindows(long last, long[] values) {
        this.last = last;
        this.values = values;
    }

    /** The last window that has a value. */
    long last() {
        return last;
    }

    /** The value of a window up to the last; of one that is too old, that of the oldest. */
    long of(long window) {
        return values[(int) Math.min(values.length - 1, last - window)];
    }
}
