package io.gregor.dispatch.internal;

/** Counts faults within a time. Owned by whoever holds the lock of the filter's guard. */
final class FaultWindow {
    /** More are not counted one by one. */
    static final int MAX_FAULTS = 10_000;

    private final long[] timesNs;
    private final long windowNs;
    private int next;
    private int known;

    /**
     * @param faults so many are too many
     * @param windowNs within this time
     */
    FaultWindow(int faults, long windowNs) {
        this.timesNs = new long[faults];
        this.windowNs = windowNs;
    }

    /** Counts one; whether it is one too many. */
    boolean add(long nowNs) {
        timesNs[next] = nowNs;
        next = (next + 1) % timesNs.length;
        known = Math.min(known + 1, timesNs.length);
        return count(nowNs) == timesNs.length;
    }

    /** How many there were within the time. */
    int count(long nowNs) {
        int count = 0;
        while (count < known && nowNs - timesNs[Math.floorMod(next - 1 - count, timesNs.length)] <= windowNs) {
            count++;
        }
        return count;
    }

    /** Forgets them. */
    void clear() {
        known = 0;
    }
}
