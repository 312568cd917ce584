package io.gregor.transport.internal;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.Collection;

/**
 * Ends the connections of one processor whose listener was removed, each when nothing of it is left to be answered. Owned by
 * the processor thread.
 *
 * <pre>
 *  serving ──nothing is left──▶ parting: output shut, input read away ──closed by the client, or 2 s──▶ closed
 *     │                            ▲
 *     └──deadline──▶ last answers ─┴──1 s──▶ closed
 * </pre>
 *
 * A socket that is closed with unread bytes is reset, and a reset overtakes the last answer: so the output is shut first, and
 * what still comes is read and counted. At the deadline everything that has arrived is read; that is answered, nothing else.
 */
final class Farewell {
    private static final long PARTING_NS = 2_000_000_000L;
    private static final long LAST_ANSWERS_NS = 1_000_000_000L;

    /** A connection whose output is shut. Immutable. */
    private record Parting(ClientConnection connection, long closeAtNs) {}

    private final Drain drain;
    private final RoleTransport role;
    private final ConnectionSet connections;
    private final GuardedDriver guarded;
    private final ArrayDeque<Parting> parting = new ArrayDeque<>();
    private boolean isLastCallDone;

    Farewell(Drain drain, RoleTransport role, ConnectionSet connections, GuardedDriver guarded) {
        this.drain = drain;
        this.role = role;
        this.connections = connections;
        this.guarded = guarded;
    }

    /** Starts to end connections, some of which were found here just now, or have come. */
    void meet(int newcomers, Collection<ClientConnection> some) {
        drain.met(newcomers);
        guarded.hasten(some);
    }

    /** Whether nothing more is read but what has been. */
    boolean isLastCallDone() {
        return isLastCallDone;
    }

    /** Shuts the output of a connection that has no answer to get. */
    void part(ClientConnection connection) throws IOException {
        connection.part();
        connection.channel().layer().socketChannel().shutdownOutput();
        connection.key().remove(SelectionKey.OP_WRITE);
        connection.key().add(SelectionKey.OP_READ);
        parting.add(new Parting(connection, role.time().nanoseconds() + PARTING_NS));
    }

    /** The same when nothing more is read: half a frame may have come, or some which a quota holds back. */
    void partAtLast(ClientConnection connection) throws IOException {
        drain.unanswered(connection.frames().discardKept());
        if (connection.frames().hasBegun() || connection.muteState() != MuteState.NOT_MUTED) {
            drain.closed();
        }
        part(connection);
    }

    /** Frames came which nobody answers. */
    void unanswered(int frames) {
        drain.unanswered(frames);
    }

    /** When {@link #goOn} has something to do. */
    long nextNs() {
        Parting first = parting.peek();
        long own = isLastCallDone ? drain.deadlineNs() + LAST_ANSWERS_NS : drain.deadlineNs();
        return first == null ? own : Math.min(own, first.closeAtNs());
    }

    /** Does what is due. */
    void goOn(long nowNs) {
        if (!isLastCallDone && nowNs >= drain.deadlineNs()) {
            isLastCallDone = true;
            guarded.lastCall(connections.all());
        }
        while (!parting.isEmpty() && nowNs >= parting.element().closeAtNs()) {
            connections.close(parting.remove().connection());
        }
        if (nowNs >= drain.deadlineNs() + LAST_ANSWERS_NS) {
            closeRest();
        }
    }

    /** Closes all that is left. */
    void closeRest() {
        for (ClientConnection connection : connections.all()) {
            if (!connection.isParting()) {
                int inHand = connection.muteState().isResponsePending() ? 1 : 0;
                drain.unanswered(inHand + connection.frames().discardKept());
                drain.closed();
            }
            connections.close(connection);
        }
    }
}
