package io.gregor.transport.internal;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator of connections that were closed for a reason which repeats, with one line in ten seconds and the
 * number of those since the start. Shared: any thread.
 */
public final class StrangerLog {
    private static final Logger LOGGER = LoggerFactory.getLogger(StrangerLog.class);
    private static final long QUIET_NS = 10_000_000_000L;

    private final Time time;
    private final AtomicLong closed = new AtomicLong();
    private final AtomicLong quietUntilNs;

    /** Writes nothing yet. */
    public StrangerLog(Time time) {
        this.time = time;
        this.quietUntilNs = new AtomicLong(time.nanoseconds());
    }

    /** Counts, and writes if nothing was written for a while. */
    void note(String reason, String listener, String client) {
        long count = closed.incrementAndGet();
        long nowNs = time.nanoseconds();
        long until = quietUntilNs.get();
        if (nowNs - until >= 0 && quietUntilNs.compareAndSet(until, nowNs + QUIET_NS)) {
            LOGGER.warn(
                    "closed a connection: reason={} listener={} client={} closedSinceStart={}",
                    reason,
                    listener,
                    client,
                    count);
        }
    }
}
