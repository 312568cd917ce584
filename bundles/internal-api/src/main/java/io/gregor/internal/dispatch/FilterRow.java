package io.gregor.internal.dispatch;

import java.util.List;

/**
 * A filter of one role as it stands. Immutable.
 *
 * @param name its component, or the number of its service
 * @param bundle name and version of the bundle it comes from
 * @param keys the API keys that it sees
 * @param ranking its order: the highest one is next to the client
 * @param listeners the listeners that it sees; none stands for all
 * @param principals the principals that it sees; none stands for all
 * @param fails {@code open} or {@code closed}: whether requests pass or are refused while it is out
 * @param state whether it is used
 * @param reason why it is out or aside; else empty, or what of it is special
 * @param calls how often it was called
 * @param faults of those, how many were faults: thrown, late, too much allocated, or given up
 * @param meanNs how long a call took in the mean, in nanoseconds
 * @param allocatedBytes what all calls allocated
 */
public record FilterRow(
        String name,
        String bundle,
        List<Integer> keys,
        int ranking,
        List<String> listeners,
        List<String> principals,
        String fails,
        State state,
        String reason,
        long calls,
        long faults,
        long meanNs,
        long allocatedBytes) {
    /** Whether a filter is used. */
    public enum State {
        /** It sees requests. */
        IN,
        /** It has failed, or could never begin. */
        OUT,
        /** Its bundle does not count, or no longer. */
        ASIDE
    }
}
