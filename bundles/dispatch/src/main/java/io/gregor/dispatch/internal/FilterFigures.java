package io.gregor.dispatch.internal;

import java.util.concurrent.atomic.LongAdder;

/** What a filter did. Shared: any thread. */
final class FilterFigures {
    private final LongAdder calls = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private final LongAdder ns = new LongAdder();
    private final LongAdder allocatedBytes = new LongAdder();

    /** A call returned, or was given up. */
    void call(long callNs, long callBytes) {
        calls.increment();
        ns.add(callNs);
        allocatedBytes.add(callBytes);
    }

    /** One of them was a fault. */
    void fault() {
        faults.increment();
    }

    long calls() {
        return calls.sum();
    }

    long faults() {
        return faults.sum();
    }

    /** How long all calls took. */
    long ns() {
        return ns.sum();
    }

    /** How long a call took in the mean; 0 if there was none. */
    long meanNs() {
        long count = calls();
        return count == 0 ? 0 : ns() / count;
    }

    /** What all calls allocated. */
    long allocatedBytes() {
        return allocatedBytes.sum();
    }

    /** Adds what another one counted. */
    void addAll(FilterFigures other) {
        calls.add(other.calls());
        faults.add(other.faults());
        ns.add(other.ns());
        allocatedBytes.add(other.allocatedBytes());
    }
}
