package io.gregor.transport.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The processors of one listener that take connections, in turn. Shared: any thread. Their number changes while connections
 * are dealt out: who asks sees the former processors or the new ones.
 */
final class Rotation {
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<Processor> processors = List.of();

    /** All of them, a snapshot. */
    List<Processor> all() {
        return processors;
    }

    /** From now on it is these. */
    void replace(List<Processor> next) {
        processors = List.copyOf(next);
    }

    /** The next one in turn; there is at least one. */
    Processor next() {
        List<Processor> now = processors;
        return now.get(Math.floorMod(turn.getAndIncrement(), now.size()));
    }

    /** To the next one that has room; if none has, the last one asked is waited for, unless it retires meanwhile. */
    void assign(Accepted accepted) throws InterruptedException {
        int tries = processors.size();
        boolean taken = false;
        while (!taken) {
            tries--;
            taken = next().offer(accepted, tries <= 0);
        }
    }
}
