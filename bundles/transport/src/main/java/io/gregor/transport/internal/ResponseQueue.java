package io.gregor.transport.internal;

import io.gregor.internal.request.Outgoing;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Responses and throttle events on their way to one processor. Shared: any thread puts; the processor takes. Unbounded:
 * a connection has at most one response and one throttle time under way, and connections are bounded.
 */
final class ResponseQueue {
    /** What goes to a connection. Immutable. */
    record Posted(ClientConnection connection, Outgoing outgoing) {}

    private final ConcurrentLinkedQueue<Posted> posted = new ConcurrentLinkedQueue<>();
    private final WakeUp wakeUp;
    private volatile boolean closed;

    ResponseQueue(WakeUp wakeUp) {
        this.wakeUp = wakeUp;
    }

    /** Adds to the end and wakes the processor if it sleeps. After {@link #close} it is dropped at once. */
    void put(ClientConnection connection, Outgoing outgoing) {
        posted.add(new Posted(connection, outgoing));
        wakeUp.call();
        if (closed) {
            dropAll();
        }
    }

    /** Takes the first, null if there is none. */
    @Nullable
    Posted poll() {
        return posted.poll();
    }

    boolean isEmpty() {
        return posted.isEmpty();
    }

    /** How many there are; walks along the queue. */
    int size() {
        return posted.size();
    }

    /** Drops what is there and what still comes. */
    void close() {
        closed = true;
        dropAll();
    }

    private void dropAll() {
        for (Posted next = posted.poll(); next != null; next = posted.poll()) {
            next.outgoing().dropped();
        }
    }
}
