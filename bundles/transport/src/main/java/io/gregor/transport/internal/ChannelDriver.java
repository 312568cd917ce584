package io.gregor.transport.internal;

import io.gregor.internal.request.Outgoing;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates, reads and writes the connections of one processor. Owned by the processor thread.
 *
 * <p>A small request costs one read and one write. Interest in reading stays on while a request is in hand; only when bytes
 * arrive meanwhile is it given up, and from then on the connection is read after each response without asking the selector,
 * until nothing is there any more.
 */
final class ChannelDriver {
    private final Time time;
    private final ConnectionSet connections;
    private final RefusedClients refused;
    private final ChannelReader reader;
    private final NetworkCounters counters;
    private final OutputBuffer output = new OutputBuffer();
    private @Nullable Farewell farewell;
    private boolean closing;

    ChannelDriver(Time time, ConnectionSet connections, RefusedClients refused, ChannelReader reader) {
        this.time = time;
        this.connections = connections;
        this.refused = refused;
        this.reader = reader;
        this.counters = connections.counters();
    }

    /** Goes on with a connection that the selector found ready. */
    void selected(ClientConnection connection) throws IOException {
        connection.owner().check();
        if (connection.isParting()) {
            readAway(connection);
            return;
        }
        if (connection.channel().isAside()) {
            return;
        }
        int ready = connection.key().readyOps();
        if (!connection.channel().isReady()) {
            advance(connection);
            return;
        }
        if ((ready & SelectionKey.OP_WRITE) != 0) {
            write(connection);
        }
        if ((ready & SelectionKey.OP_READ) != 0 && !connection.isClosed()) {
            readable(connection);
        }
    }

    /** Does what a response or a throttle event says. */
    void take(ClientConnection connection, Outgoing outgoing) throws IOException {
        connection.owner().check();
        long nowNs = time.nanoseconds();
        outgoing.dequeued(nowNs);
        switch (outgoing.kind()) {
            case SEND -> {
                connection.writer().begin(outgoing);
                write(connection);
            }
            case NOTHING -> {
                outgoing.completed(nowNs);
                connection.muteEvent(MuteState.Event.RESPONSE_SENT);
                goOn(connection);
            }
            case CLOSE -> {
                outgoing.completed(nowNs);
                connections.close(connection);
            }
            case START_THROTTLE -> {
                outgoing.completed(nowNs);
                connection.throttled(outgoing.throttledUntilNs());
            }
            case END_THROTTLE -> {
                outgoing.completed(nowNs);
                connection.muteEvent(MuteState.Event.THROTTLE_ENDED);
                goOn(connection);
            }
        }
    }

    /** Goes on with a connection that the reader could not go on with, or that came from another processor. */
    void resume(ClientConnection connection) throws IOException {
        connection.owner().check();
        if (connection.isCloseOrdered() || (closing && !connection.muteState().isResponsePending())) {
            connections.close(connection);
        } else if (connection.isParting() || connection.channel().isRefused()) {
            return; // they end by themselves
        } else if (connection.channel().isAside()) {
            endIfUnknown(connection);
        } else if (!connection.channel().isReady()) {
            advance(connection);
        } else if (connection.writer().isBusy()) {
            write(connection);
        } else if (connection.muteState() == MuteState.NOT_MUTED || connection.tryUnmute()) {
            reader.read(connection);
        }
    }

    /** From now on nothing more is read: a connection is closed as soon as its request is answered. */
    void closeDoors() {
        closing = true;
        for (ClientConnection connection : connections.all()) {
            if (!connection.muteState().isResponsePending()) {
                connections.close(connection);
            }
        }
    }

    /** From now on connections are ended one by one, each when nothing of it is left to be answered. */
    void farewell(Farewell begun) {
        farewell = begun;
        reader.farewell(begun);
    }

    /** Goes on with a connection that is to end: its request in hand is hurried, or it ends at once. */
    void hasten(ClientConnection connection) throws IOException {
        if (connection.muteState().isResponsePending()) {
            connection.hurry();
        } else {
            resume(connection);
        }
    }

    /** Reads what has arrived at a connection, and nothing after that. */
    void lastCall(ClientConnection connection) throws IOException {
        if (connection.isParting() || !connection.channel().isReady()) {
            return;
        }
        reader.readAhead(connection);
        if (connection.muteState() == MuteState.MUTED_AND_THROTTLED && farewell != null) {
            farewell.partAtLast(connection);
        } else {
            hasten(connection);
        }
    }

    private void readAway(ClientConnection connection) throws IOException {
        if (connection.channel().isRefused()) {
            refused.readAway(connection);
            return;
        }
        int frames = reader.readAway(connection);
        if (frames > 0 && farewell != null) {
            farewell.unanswered(frames);
        }
    }

    /** One that has sent no request yet has nothing to wait for when all are to end. */
    private boolean endIfUnknown(ClientConnection connection) {
        boolean ends = farewell != null && !connection.channel().isKnown();
        if (ends) {
            connections.close(connection);
        }
        return ends;
    }

    private void advance(ClientConnection connection) throws IOException {
        if (endIfUnknown(connection)) {
            return;
        }
        long nowNs = time.nanoseconds();
        connection.traffic().active(nowNs);
        boolean isAccepted = connection.channel().advance();
        connection.takeFacts();
        if (!isAccepted) {
            refused.add(connection, nowNs);
        } else if (connection.channel().isReady()) {
            counters.authenticated(connection.channel(), nowNs);
            reader.read(connection);
        } else {
            reader.goOnLater(connection);
        }
    }

    private void readable(ClientConnection connection) throws IOException {
        if (connection.muteState() == MuteState.NOT_MUTED) {
            reader.read(connection);
        } else {
            connection.key().remove(SelectionKey.OP_READ);
            connection.hasUnread(true);
        }
    }

    private void write(ClientConnection connection) throws IOException {
        TransportLayer layer = connection.channel().layer();
        ResponseWriter writer = connection.writer();
        long written = writer.write(layer, output);
        long nowNs = time.nanoseconds();
        if (written > 0) {
            connection.traffic().written(written, nowNs);
            counters.written(written, nowNs);
        }
        if (writer.isWritten(layer)) {
            connection.key().remove(SelectionKey.OP_WRITE);
            counters.sent(writer.finish(nowNs), nowNs);
            connection.muteEvent(MuteState.Event.RESPONSE_SENT);
            goOn(connection);
        } else if (writer.isBusy()) {
            connection.key().add(SelectionKey.OP_WRITE);
        } else {
            connection.key().remove(SelectionKey.OP_WRITE);
        }
    }

    private void goOn(ClientConnection connection) throws IOException {
        if (connection.isParting() || !connection.tryUnmute()) {
            return;
        }
        if (closing) {
            connections.close(connection);
        } else if (farewell != null
                || connection.frames().hasKept()
                || connection.hasUnread()
                || connection.channel().layer().hasBytesBuffered()) {
            reader.read(connection);
        }
    }
}
