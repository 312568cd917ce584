package io.gregor.transport.internal;

import org.apache.kafka.common.utils.Time;

/** A clock that goes on when it is told to. Owned by one thread. */
final class ManualTime implements Time {
    private static final long NS_PER_MS = 1_000_000L;

    private long nowNs = 1_000 * NS_PER_MS;

    void advanceMs(long ms) {
        nowNs += ms * NS_PER_MS;
    }

    @Override
    public long milliseconds() {
        return nowNs / NS_PER_MS;
    }

    @Override
    public long nanoseconds() {
        return nowNs;
    }

    @Override
    public void sleep(long ms) {
        advanceMs(ms);
    }
}
