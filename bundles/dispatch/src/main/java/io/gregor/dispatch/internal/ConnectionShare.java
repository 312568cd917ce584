package io.gregor.dispatch.internal;

/**
 * Which connections belong to a share of all of them: always the same ones, and those of a smaller share belong to each
 * larger one. Immutable.
 */
final class ConnectionShare {
    private static final int ALL = 100;

    private ConnectionShare() {}

    /** Whether the connection is one of so many of 100; by the spread hash of its id. */
    static boolean holds(String connectionId, int percent) {
        int hash = connectionId.hashCode();
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        hash ^= hash >>> 16;
        return Integer.remainderUnsigned(hash, ALL) < percent;
    }
}
