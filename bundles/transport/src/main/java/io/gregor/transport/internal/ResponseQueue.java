package io.gregor.transport.internal;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one processor for which a response or a throttle event has come; what it is waits in the connection, so
 * that its order holds even while the connection moves. Shared: any thread puts; the processor takes. Unbounded: a
 * connection has at most one response and one throttle time under way, and connections are bounded.
 */
final class ResponseQueue {
    private final ConcurrentLinkedQueue<ClientConnection> ready = new ConcurrentLinkedQueue<>();
    private final Processor processor;
    private final Selection sleep;
    private volatile boolean closed;

    ResponseQueue(Processor processor, Selection sleep) {
        this.processor = processor;
        this.sleep = sleep;
    }

    /** Adds to the end and wakes the processor if it sleeps. After {@link #close} nobody takes it: it is turned away. */
    void put(ClientConnection connection) {
        ready.add(connection);
        sleep.wake();
        if (closed) {
            turnAway();
        }
    }

    /** Takes the first, null if there is none. */
    @Nullable
    ClientConnection poll() {
        return ready.poll();
    }

    boolean isEmpty() {
        return ready.isEmpty();
    }

    /** How many there are; walks along the queue. */
    int size() {
        return ready.size();
    }

    /**
     * Turns away what is there and what still comes: to the connection's processor of now; or it is dropped, if the connection
     * was closed here. One that is on its way back from here is looked at when it arrives.
     */
    void close() {
        closed = true;
        turnAway();
    }

    private void turnAway() {
        for (ClientConnection next = ready.poll(); next != null; next = ready.poll()) {
            Processor owner = next.owner();
            if (owner != processor) {
                owner.post(next);
            } else if (next.isClosed()) {
                next.dropOutgoing();
            }
        }
    }
}
