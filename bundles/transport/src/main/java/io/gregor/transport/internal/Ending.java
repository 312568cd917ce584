package io.gregor.transport.internal;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How a processor comes to its end. Orders come from any thread; the rest is owned by the processor thread.
 *
 * <pre>
 *  running ──closeDoors──▶ closing (answers what is in hand) ──────────▶ ended
 *     ├─────retire───────▶ retiring (its connections move) ───────────────▲
 *     └─────drain────────▶ draining (answers what comes, then lets go) ───┘
 * </pre>
 *
 * Doors may be closed in any state, and a processor that retires may be drained.
 */
final class Ending {
    private static final long NOT_CLOSING = Long.MAX_VALUE;

    private final RoleTransport role;
    private final ConnectionSet connections;
    private final Relocation relocation;
    private final NewConnections newConnections;
    private final ChannelDriver driver;
    private final GuardedDriver guarded;
    private @Nullable Farewell farewell;
    private boolean doorsClosed;
    private volatile @Nullable Drain draining;
    private volatile long closeByNs = NOT_CLOSING;

    Ending(
            RoleTransport role,
            ConnectionSet connections,
            Relocation relocation,
            NewConnections newConnections,
            ChannelDriver driver,
            GuardedDriver guarded) {
        this.role = role;
        this.connections = connections;
        this.relocation = relocation;
        this.newConnections = newConnections;
        this.driver = driver;
        this.guarded = guarded;
    }

    /** Orders the doors closed, all of it until this time. Any thread. */
    void orderClose(long byNs) {
        closeByNs = byNs;
    }

    /** Orders that connections end when everything that has come is answered. Any thread. */
    void orderDrain(Drain order) {
        draining = order;
    }

    /** Orders all connections away. Any thread. */
    void orderAway(Rotation successors) {
        newConnections.close();
        relocation.orderAll(successors);
    }

    /** Begins with what was ordered. */
    void begin() {
        if (closeByNs != NOT_CLOSING && !doorsClosed) {
            doorsClosed = true;
            driver.closeDoors();
        }
        Drain order = draining;
        if (order != null && farewell == null) {
            farewell = new Farewell(order, role, connections, guarded);
            driver.farewell(farewell);
            relocation.stay();
            farewell.meet(connections.all().size(), connections.all());
        }
    }

    /** Whether the thread may end. */
    boolean isDone() {
        if (doorsClosed) {
            return connections.all().isEmpty() || role.time().nanoseconds() - closeByNs >= 0;
        }
        return (relocation.isRetiring() || farewell != null)
                && connections.all().isEmpty()
                && newConnections.isEmpty()
                && !relocation.hasArrivals();
    }

    /** Whether the end does not wait for those who arrive from other processors. */
    boolean isForced() {
        return doorsClosed;
    }

    /** Takes new connections in, or turns them away. */
    void takeNewConnections() {
        if (doorsClosed) {
            newConnections.discard();
        } else if (!newConnections.isEmpty()) {
            int before = connections.all().size();
            newConnections.takeInto(connections);
            if (farewell != null) {
                farewell.meet(connections.all().size() - before, connections.all());
            }
        }
    }

    /** Has connections end, if all do, that have come from other processors. */
    void meet(Collection<ClientConnection> arrived) {
        if (farewell != null) {
            farewell.meet(arrived.size(), arrived);
        }
    }

    /** When {@link #goOn} has something to do, or the thread ends. */
    long nextNs() {
        return farewell == null ? closeByNs : Math.min(closeByNs, farewell.nextNs());
    }

    /** Does what is due. */
    void goOn(long nowNs) {
        if (farewell != null) {
            farewell.goOn(nowNs);
        }
    }

    /** Closes what is left when the thread ends. */
    void closeRest() {
        if (farewell != null) {
            farewell.closeRest();
        }
        for (ClientConnection connection : connections.all()) {
            connections.close(connection);
        }
        relocation.closeArrivals();
        newConnections.discard();
    }
}
