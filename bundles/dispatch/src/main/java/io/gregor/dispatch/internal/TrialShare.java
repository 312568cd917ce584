package io.gregor.dispatch.internal;

/** Which connections are served with a bundle on trial. Immutable. */
final class TrialShare {
    /** The places a connection may have; its place below the share's percent is inside. */
    static final int ALL = 100;

    /** Spreads numbers that differ in few bits only over all places. */
    private static final int GOLDEN = 0x9E3779B9;

    private TrialShare() {}

    /**
     * The place of a connection, 0 to 99: always the same one, whatever stands on trial, so that a larger share has the
     * connections of a smaller one.
     */
    static int place(String connectionId) {
        int mixed = connectionId.hashCode() * GOLDEN;
        mixed = (mixed ^ (mixed >>> 15)) * GOLDEN;
        return (int) ((Integer.toUnsignedLong(mixed) * ALL) >>> Integer.SIZE);
    }

    /** Whether a connection is among so many of 100. */
    static boolean has(String connectionId, int sharePercent) {
        return sharePercent >= ALL || place(connectionId) < sharePercent;
    }
}
