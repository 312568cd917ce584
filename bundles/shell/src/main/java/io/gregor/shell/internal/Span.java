package io.gregor.shell.internal;

/** Spells lengths of time in the two units that matter. Immutable. */
public final class Span {
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final long DAY_MS = 24 * HOUR_MS;

    private Span() {}

    /** {@code 250ms}, {@code 12s}, {@code 3m05s}, {@code 2h04m} or {@code 3d01h}. */
    public static String text(long ms) {
        if (ms < SECOND_MS) {
            return ms + "ms";
        }
        if (ms < MINUTE_MS) {
            return ms / SECOND_MS + "s";
        }
        if (ms < HOUR_MS) {
            return pair(ms, MINUTE_MS, "m", SECOND_MS, "s");
        }
        if (ms < DAY_MS) {
            return pair(ms, HOUR_MS, "h", MINUTE_MS, "m");
        }
        return pair(ms, DAY_MS, "d", HOUR_MS, "h");
    }

    private static String pair(long ms, long largeMs, String large, long smallMs, String small) {
        long rest = ms % largeMs / smallMs;
        return ms / largeMs + large + (rest < 10 ? "0" : "") + rest + small;
    }
}
