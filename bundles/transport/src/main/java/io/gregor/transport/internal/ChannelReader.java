package io.gregor.transport.internal;

import io.gregor.internal.request.FrameIntake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the connections of one processor and hands their frames to dispatch. Owned by the processor thread. Connections that
 * cannot be gone on with wait here: they had their share of the turn, or there is no memory or no dispatch just now.
 */
final class ChannelReader {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChannelReader.class);
    private static final int READ_BUFFER_BYTES = 64 * 1024;
    private static final int FAIR_READS = 16;

    private final RoleTransport role;
    private final Time time;
    private final ConnectionSet connections;
    private final FrameDelivery delivery;
    private final RefusedClients refused;
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);
    private List<ClientConnection> unfinished = new ArrayList<>();
    private List<ClientConnection> waiting = new ArrayList<>();
    private @Nullable Farewell farewell;

    ChannelReader(RoleTransport role, ConnectionSet connections, FrameDelivery delivery, RefusedClients refused) {
        this.role = role;
        this.time = role.time();
        this.connections = connections;
        this.delivery = delivery;
        this.refused = refused;
    }

    /** From now on a connection is ended when nothing of it is left to be answered. */
    void farewell(Farewell begun) {
        farewell = begun;
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

    /**
     * Has a handshake or an authentication gone on with that left bytes in the channel layer, of which no selector tells; not
     * one that waits for its step aside, or until the client takes what it is sent.
     */
    void goOnLater(ClientConnection connection) {
        SecureChannel channel = connection.channel();
        if (!channel.hasStep()
                && channel.layer().hasBytesBuffered()
                && (connection.key().interestOps() & SelectionKey.OP_WRITE) == 0) {
            unfinished.add(connection);
        }
    }

    /** Reads until a request is queued, nothing is left, or the connection had its share of the turn. */
    void read(ClientConnection connection) throws IOException {
        FrameReader frames = connection.frames();
        FrameReader.Progress kept = frames.advanceKept();
        if (kept != FrameReader.Progress.MORE) {
            goOnWith(connection, kept, time.nanoseconds());
            return;
        }
        Farewell ending = farewell;
        if (ending != null && ending.isLastCallDone()) {
            ending.partAtLast(connection);
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
            if (count > 0 && !wantsMoreAfter(connection, readBuffer.flip(), time.nanoseconds())) {
                return;
            }
            if (count < wanted && !layer.hasBytesBuffered()) {
                waitForBytes(connection);
                if (ending != null && !frames.hasBegun()) {
                    ending.part(connection);
                }
                return;
            }
        }
        unfinished.add(connection);
    }

    /** Keeps what has arrived until now of a connection from which nothing more will be read. */
    void readAhead(ClientConnection connection) throws IOException {
        FrameReader frames = connection.frames();
        int count = frames.mayReadAhead() ? 1 : 0;
        for (int reads = 0; reads < FAIR_READS && count > 0; reads++) {
            count = connection.channel().layer().read(readBuffer.clear());
            if (count > 0) {
                connection.traffic().read(count, time.nanoseconds());
                frames.keep(readBuffer.flip());
            }
        }
    }

    /** Throws away what arrives though the output is shut, and says how many complete frames that is. */
    int readAway(ClientConnection connection) throws IOException {
        FrameReader frames = connection.frames();
        int complete = 0;
        for (int reads = 0; reads < FAIR_READS; reads++) {
            int count = connection.channel().layer().read(readBuffer.clear());
            if (count <= 0) {
                if (count < 0) {
                    connections.close(connection);
                }
                break;
            }
            FrameReader.Progress progress = frames.advance(readBuffer.flip());
            while (progress == FrameReader.Progress.COMPLETE) {
                frames.discard();
                complete++;
                progress = frames.advance(readBuffer);
            }
            if (progress == FrameReader.Progress.REFUSED) {
                connections.close(connection);
                break;
            }
        }
        return complete;
    }

    private void waitForBytes(ClientConnection connection) {
        connection.hasUnread(false);
        connection.key().add(SelectionKey.OP_READ);
        if (connection.frames().hasBegun()) {
            connections.watch(connection, time.nanoseconds());
        }
    }

    private boolean wantsMoreAfter(ClientConnection connection, ByteBuffer arrived, long nowNs) throws IOException {
        FrameReader frames = connection.frames();
        int bytes = arrived.remaining();
        connection.traffic().read(bytes, nowNs);
        connections.counters().read(bytes, nowNs);
        FrameReader.Progress progress = frames.advance(arrived);
        if (progress != FrameReader.Progress.REFUSED && arrived.hasRemaining()) {
            frames.keep(arrived);
        }
        if (progress == FrameReader.Progress.MORE) {
            return true;
        }
        goOnWith(connection, progress, nowNs);
        return false;
    }

    /** What follows when nothing more is read of a connection for now. */
    private void goOnWith(ClientConnection connection, FrameReader.Progress progress, long nowNs) throws IOException {
        switch (progress) {
            case MORE -> {}
            case COMPLETE -> deliver(connection, nowNs);
            case REFUSED -> closeStranger(connection);
            case NO_MEMORY -> {
                connection.mute();
                waiting.add(connection);
            }
        }
    }

    private void deliver(ClientConnection connection, long nowNs) throws IOException {
        FrameIntake intake = delivery.intake();
        connection.mute();
        if (intake == null) {
            waiting.add(connection);
            return;
        }
        FrameReader frames = connection.frames();
        Runnable releaser = frames.releaser();
        ByteBuffer frame = frames.take();
        switch (delivery.hand(intake, connection, frame, nowNs, releaser)) {
            case QUEUED -> {
                connection.muteEvent(MuteState.Event.REQUEST_RECEIVED);
                if (farewell != null) {
                    connection.hurry();
                }
            }
            case CLOSE -> {
                if (connection.isSessionExpired(nowNs)) {
                    connections.noteExpiredSession(nowNs);
                }
                connections.close(connection);
            }
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
        } else if (!connection
                .channel()
                .reauthenticate(handshake, connection.owner().channels(), nowNs)) {
            refused.add(connection, time.nanoseconds());
        } else {
            connections.watch(connection, nowNs);
            goOnLater(connection);
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
