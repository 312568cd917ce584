package io.gregor.transport.internal;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Connections of one processor that others want closed: killed, or one too many. Shared: any thread orders; the processor
 * carries out. A connection that has gone to another processor meanwhile is ordered there; one that is on its way sees the
 * order when it is taken up again.
 */
final class CloseOrders {
    private final ConcurrentLinkedQueue<ClientConnection> orders = new ConcurrentLinkedQueue<>();
    private final Processor processor;
    private volatile boolean closed;

    CloseOrders(Processor processor) {
        this.processor = processor;
    }

    /** Orders the end of a connection. */
    void put(ClientConnection connection) {
        orders.add(connection);
        processor.poke();
        if (closed) {
            passOn();
        }
    }

    /** Closes what is here. The processor thread. */
    void carryOut(ConnectionSet connections) {
        for (ClientConnection next = orders.poll(); next != null; next = orders.poll()) {
            if (next.owner() != processor) {
                next.owner().closeOrders().put(next);
            } else if (next.key().isRegistered()) {
                connections.close(next);
            }
        }
    }

    /** Nobody carries out any more: what is here and what still comes goes to the connection's processor of now. */
    void close() {
        closed = true;
        passOn();
    }

    private void passOn() {
        for (ClientConnection next = orders.poll(); next != null; next = orders.poll()) {
            if (next.owner() != processor) {
                next.owner().closeOrders().put(next);
            }
        }
    }
}
