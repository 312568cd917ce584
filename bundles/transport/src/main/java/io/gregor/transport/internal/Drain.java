package io.gregor.transport.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The end of a listener that was removed: until when what comes is answered, and what its processors count meanwhile. Shared:
 * any thread.
 */
final class Drain {
    private final long deadlineNs;
    private final AtomicInteger met = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();

    /** What has come until the deadline is answered. */
    Drain(long deadlineNs) {
        this.deadlineNs = deadlineNs;
    }

    long deadlineNs() {
        return deadlineNs;
    }

    /** Connections were found that are to end. */
    void met(int connections) {
        met.addAndGet(connections);
    }

    /** A connection was closed while something that had come was not answered, or might have been coming. */
    void closed() {
        closed.incrementAndGet();
    }

    /** Complete frames get no answer. */
    void unanswered(int frames) {
        unanswered.addAndGet(frames);
    }

    /** The line of figures. */
    String figures() {
        return "drained=" + (met.get() - closed.get()) + " closed=" + closed + " unanswered=" + unanswered;
    }
}
