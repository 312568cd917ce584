package io.gregor.transport.internal;

import io.gregor.internal.request.FrameIntake;
import io.gregor.internal.request.Outgoing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, authenticates and writes the connections of one processor. Owned by the processor thread.
 *
 * <p>A small request costs one read and one write. Interest in reading stays on while a request is in hand; only when bytes
 * arrive meanwhile is it given up, and from then on the connection is read after each response without asking the selector,
 * until nothing is there any more.
 */
final class ChannelDriver {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChannelDriver.class);
    private static final int READ_BUFFER_BYTES = 64 * 1024;
    private static final int FAIR_READS = 16;

    private final RoleTransport role;
    private final Time time;
    private final ConnectionSet connections;
    private final FrameDelivery delivery;
    private final RefusedClients refused;
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);
    private final OutputBuffer output = new OutputBuffer();
    private List<ClientConnection> unfinished = new ArrayList<>();
    private List<ClientConnection> waiting = new ArrayList<>();
    private boolean closing;

    ChannelDriver(RoleTransport role, ConnectionSet connections, FrameDelivery delivery, RefusedClients refused) {
        this.role = role;
        this.time = role.time();
        this.connections = connections;
        this.delivery = delivery;
        this.refused = refused;
    }

    /** Goes on with a connection that the selector found ready. */
    void selected(ClientConnection connection) throws IOException {
        connection.owner().check();
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
                connection.muteEvent(MuteState.Event.THROTTLE_STARTED);
            }
            case END_THROTTLE -> {
                outgoing.completed(nowNs);
                connection.muteEvent(MuteState.Event.THROTTLE_ENDED);
                goOn(connection);
            }
        }
    }

    /** Whether there are connections to go on with, though the selector may not say so. */
    boolean hasUnfinished() {
        return !unfinished.isEmpty();
    }

    /** Connections that had their share of a turn before they were done; they are taken out. */
    List<ClientConnection> takeUnfinished() {
        if (unfinished.isEmpty()) {
            return List.of();
        }
        List<ClientConnection> taken = unfinished;
        unfinished = new ArrayList<>();
        return taken;
    }

    /** Connections that wait for memory or for dispatch; they are taken out, and wait again if it is not there. */
    List<ClientConnection> takeWaiting() {
        List<ClientConnection> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }

    /** Goes on with one of {@link #takeUnfinished} or {@link #takeWaiting}, or one that came from another processor. */
    void resume(ClientConnection connection) throws IOException {
        connection.owner().check();
        if (closing && !connection.muteState().isResponsePending()) {
            connections.close(connection);
        } else if (!connection.channel().isReady()) {
            advance(connection);
        } else if (connection.writer().isBusy()) {
            write(connection);
        } else if (connection.muteState() == MuteState.NOT_MUTED || connection.tryUnmute()) {
            read(connection);
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

    private void advance(ClientConnection connection) throws IOException {
        connection.traffic().active(time.nanoseconds());
        if (!connection.channel().advance()) {
            refused.add(connection, time.nanoseconds());
        } else if (connection.channel().isReady()) {
            read(connection);
        }
    }

    private void readable(ClientConnection connection) throws IOException {
        if (connection.muteState() == MuteState.NOT_MUTED) {
            read(connection);
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
        }
        if (writer.isWritten(layer)) {
            connection.key().remove(SelectionKey.OP_WRITE);
            writer.finish(nowNs);
            connection.muteEvent(MuteState.Event.RESPONSE_SENT);
            goOn(connection);
        } else if (writer.isBusy()) {
            connection.key().add(SelectionKey.OP_WRITE);
        } else {
            connection.key().remove(SelectionKey.OP_WRITE);
        }
    }

    private void goOn(ClientConnection connection) throws IOException {
        if (!connection.tryUnmute()) {
            return;
        }
        if (closing) {
            connections.close(connection);
        } else if (connection.frames().hasKept()
                || connection.hasUnread()
                || connection.channel().layer().hasBytesBuffered()) {
            read(connection);
        }
    }

    /** Reads until a request is queued, nothing is left, or the connection had its share of the turn. */
    private void read(ClientConnection connection) throws IOException {
        FrameReader frames = connection.frames();
        if (!wantsMore(connection, frames.advanceKept())) {
            return;
        }
        TransportLayer layer = connection.channel().layer();
        for (int reads = 0; reads < FAIR_READS; reads++) {
            int wanted = frames.wantedBytes(READ_BUFFER_BYTES);
            readBuffer.clear().limit(wanted);
            int count = layer.read(readBuffer);
            if (count < 0) {
                LOGGER.debug("closed by the client: connection={}", connection);
                connections.close(connection);
                return;
            }
            if (count > 0) {
                connection.traffic().read(count, time.nanoseconds());
                if (!wantsMoreAfter(connection, readBuffer.flip())) {
                    return;
                }
            }
            if (count < wanted && !layer.hasBytesBuffered()) {
                connection.hasUnread(false);
                connection.key().add(SelectionKey.OP_READ);
                return;
            }
        }
        unfinished.add(connection);
    }

    private boolean wantsMoreAfter(ClientConnection connection, ByteBuffer arrived) throws IOException {
        FrameReader frames = connection.frames();
        FrameReader.Progress progress = frames.advance(arrived);
        if (progress == FrameReader.Progress.COMPLETE && arrived.hasRemaining()) {
            frames.keep(arrived);
        }
        return wantsMore(connection, progress);
    }

    private boolean wantsMore(ClientConnection connection, FrameReader.Progress progress) throws IOException {
        switch (progress) {
            case MORE -> {}
            case COMPLETE -> deliver(connection);
            case REFUSED -> closeStranger(connection);
            case NO_MEMORY -> {
                connection.mute();
                waiting.add(connection);
            }
        }
        return progress == FrameReader.Progress.MORE;
    }

    private void deliver(ClientConnection connection) throws IOException {
        FrameIntake intake = delivery.intake();
        connection.mute();
        if (intake == null) {
            waiting.add(connection);
            return;
        }
        FrameReader frames = connection.frames();
        long nowNs = time.nanoseconds();
        Runnable releaser = frames.releaser();
        ByteBuffer frame = frames.take();
        switch (delivery.hand(intake, connection, frame, nowNs, releaser)) {
            case QUEUED -> connection.muteEvent(MuteState.Event.REQUEST_RECEIVED);
            case CLOSE -> connections.close(connection);
            case REAUTHENTICATE -> reauthenticate(connection, frame, nowNs);
        }
    }

    private void reauthenticate(ClientConnection connection, ByteBuffer handshake, long nowNs) throws IOException {
        connection.tryUnmute();
        connection.hasUnread(false);
        connection.key().add(SelectionKey.OP_READ);
        if (connection.frames().hasKept()) {
            LOGGER.debug("bytes after a new handshake, before its answer: connection={}", connection);
            connections.close(connection);
        } else if (!connection.channel().reauthenticate(handshake, nowNs)) {
            refused.add(connection, time.nanoseconds());
        }
    }

    private void closeStranger(ClientConnection connection) {
        FrameReader frames = connection.frames();
        if (frames.isFirst()) {
            ForeignProtocol.of(frames.length()).ifPresent(protocol -> role.strangers()
                    .note(
                            "it speaks " + protocol + ", not the Kafka protocol",
                            connection.listener().value(),
                            connection.clientAddress().getHostAddress()));
        }
        LOGGER.debug(
                "frame refused: sizeBytes={} limitBytes={} connection={}",
                frames.length(),
                role.settings().sockets().maxRequestBytes(),
                connection);
        connections.close(connection);
    }
}
