package io.gregor.transport.internal;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections on the way from one processor to another, in any state: muted or not, half a frame read, half a response
 * written, in the middle of a handshake. Orders and arrivals come from any thread; the rest is owned by the processor
 * thread.
 *
 * <p>Leaving takes three steps, since a cancelled key leaves its selector with the next selection only: {@link #detach},
 * a selection that does not wait, {@link #handOver}. The new owner is written before the arrival is posted, and a message to
 * a processor that is not the owner is passed on: so what comes for the connection meanwhile finds it. Nothing tells of bytes
 * that were read or decrypted before, so an arrived connection is looked at at once. Whoever arrives where the thread has
 * ended goes back to where it came from.
 */
final class Relocation {
    private static final Logger LOGGER = LoggerFactory.getLogger(Relocation.class);

    /** A connection is to go to another processor. Immutable. */
    private record Order(ClientConnection connection, Processor target) {}

    private final Processor processor;
    private final ConnectionSet connections;
    private final Selector selector;
    private final ConcurrentLinkedQueue<Order> orders = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ClientConnection> arrivals = new ConcurrentLinkedQueue<>();
    private final List<Order> leaving = new ArrayList<>();
    private volatile @Nullable Rotation successors;
    private boolean staying;
    private int retired;

    Relocation(Processor processor, ConnectionSet connections, Selector selector) {
        this.processor = processor;
        this.connections = connections;
        this.selector = selector;
    }

    /** Orders a move. Any thread; without effect if the connection is closed or elsewhere by then. */
    void order(ClientConnection connection, Processor target) {
        orders.add(new Order(connection, target));
    }

    /** Orders all connections away, also those that are still to come. Any thread. */
    void orderAll(Rotation targets) {
        successors = targets;
    }

    /** From now on no connection leaves, whatever the orders; processor thread. */
    void stay() {
        staying = true;
        successors = null;
    }

    /** Whether all connections are to leave. */
    boolean isRetiring() {
        return successors != null;
    }

    /** How many connections have left since all were to leave. */
    int retired() {
        return retired;
    }

    /** A connection has arrived. The thread of its former processor. */
    void arrive(ClientConnection connection) {
        arrivals.add(connection);
    }

    /** Takes an arrival back; false if it is on the selector, or closed. The thread of its former processor. */
    boolean takeBack(ClientConnection connection) {
        return arrivals.remove(connection);
    }

    /** Whether connections wait for {@link #attach}. */
    boolean hasArrivals() {
        return !arrivals.isEmpty();
    }

    /** Takes the connections that have orders off the selector. */
    void detach() {
        for (Order order = orders.poll(); order != null; order = orders.poll()) {
            detach(order.connection(), order.target());
        }
        Rotation targets = successors;
        if (targets != null) {
            for (ClientConnection connection : connections.all()) {
                detach(connection, targets.next());
            }
        }
    }

    private void detach(ClientConnection connection, Processor target) {
        if (!staying && connection.owner() == processor && target != processor && isMovable(connection)) {
            connections.release(connection);
            connection.key().deregister();
            leaving.add(new Order(connection, target));
        }
    }

    /** Whether a selection must not wait, as connections are detached. */
    boolean isLeaving() {
        return !leaving.isEmpty();
    }

    /** Gives the detached connections to their new processors; they are not touched here again. */
    void handOver() {
        for (Order order : leaving) {
            ClientConnection connection = order.connection();
            connection.owner(order.target());
            if (!order.target().arrive(connection)) {
                connection.owner(processor);
                arrivals.add(connection);
                processor.poke();
            } else if (isRetiring()) {
                retired++;
            }
        }
        leaving.clear();
    }

    /** Puts arrived connections onto the selector, and returns those that are to be looked at. */
    List<ClientConnection> attach(long nowNs) {
        List<ClientConnection> attached = new ArrayList<>();
        for (ClientConnection next = arrivals.poll(); next != null; next = arrivals.poll()) {
            connections.add(next, nowNs);
            try {
                next.key().register(selector).attach(next);
                attached.add(next);
            } catch (IOException e) {
                LOGGER.debug("connection broken: connection={} reason={}", next, e.toString());
                connections.close(next);
            }
        }
        return attached;
    }

    /** Closes those that have arrived: the processor has ended before its time. */
    void closeArrivals() {
        for (ClientConnection next = arrivals.poll(); next != null; next = arrivals.poll()) {
            connections.close(next);
        }
    }

    /** Not on its way already, and not about to be closed. */
    private static boolean isMovable(ClientConnection connection) {
        return connection.key().isRegistered()
                && !connection.isClosed()
                && !connection.channel().isRefused();
    }
}
