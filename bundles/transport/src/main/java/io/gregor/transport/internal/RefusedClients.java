package io.gregor.transport.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients that were refused. Owned by the processor thread.
 *
 * <p>Whom an authenticator refused is told and closed after {@code connection.failed.authentication.delay.ms}, so that
 * guessing takes time. Whom a channel layer refused has been told by an alert, or is when the layer is closed. A socket that
 * is closed with unread bytes is reset, and a reset overtakes the alert: so the output is shut, and what still comes is read
 * away for a second.
 */
final class RefusedClients {
    private static final Logger LOGGER = LoggerFactory.getLogger(RefusedClients.class);
    private static final long NS_PER_MS = 1_000_000L;
    private static final long LINGER_NS = 1_000 * NS_PER_MS;
    private static final int READS = 16;

    /** One of them. Immutable. */
    private record Refused(ClientConnection connection, long closeAtNs) {}

    private final ConnectionSet connections;
    private final RoleTransport role;
    private final ArrayDeque<Refused> refused = new ArrayDeque<>();
    private final ArrayDeque<Refused> lingering = new ArrayDeque<>();
    private final ByteBuffer thrownAway = ByteBuffer.allocateDirect(4 * 1024);

    RefusedClients(ConnectionSet connections, RoleTransport role) {
        this.connections = connections;
        this.role = role;
    }

    /** Refuses a client; nothing more is read from it. */
    void add(ClientConnection connection, long nowNs) {
        String reason = connection.channel().refusalReason();
        LOGGER.debug("authentication failed: connection={} reason={}", connection, reason);
        role.failures()
                .note(
                        "authentication failed: " + reason,
                        connection.listener().value(),
                        connection.clientAddress().getHostAddress());
        connections.noteFailedAuthentication(connection);
        connection.key().remove(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        if (connection.channel().isToldByLayer()) {
            linger(connection, nowNs);
        } else if (connection.channel().isRefusedByLayer()) {
            closeAfterReading(connection);
        } else {
            long delayNs = role.settings().failedAuthenticationDelayMs() * NS_PER_MS;
            refused.add(new Refused(connection, nowNs + delayNs));
        }
        closeDue(nowNs);
    }

    /** When {@link #closeDue} has something to do; {@link IdleWheel#NEVER} if there is nothing. */
    long nextNs() {
        return Math.min(nextNs(refused), nextNs(lingering));
    }

    /** Tells and closes those whose time has come. */
    void closeDue(long nowNs) {
        while (nextNs(refused) <= nowNs) {
            ClientConnection connection = refused.remove().connection();
            if (!connection.isClosed()) {
                tellAndClose(connection);
            }
        }
        while (nextNs(lingering) <= nowNs) {
            connections.close(lingering.remove().connection());
        }
    }

    /** Throws away what a client still sends that was refused. */
    void readAway(ClientConnection connection) throws IOException {
        if (isAtEnd(connection)) {
            connections.close(connection);
        }
    }

    private static long nextNs(ArrayDeque<Refused> some) {
        Refused first = some.peek();
        return first == null ? IdleWheel.NEVER : first.closeAtNs();
    }

    private void linger(ClientConnection connection, long nowNs) {
        try {
            connection.part();
            connection.accepted().socket().shutdownOutput();
            connection.key().add(SelectionKey.OP_READ);
            lingering.add(new Refused(connection, nowNs + LINGER_NS));
            readAway(connection);
        } catch (IOException e) {
            LOGGER.debug("a refused client is gone: connection={} reason={}", connection, e.toString());
            connections.close(connection);
        }
    }

    private void tellAndClose(ClientConnection connection) {
        try {
            connection.key().add(SelectionKey.OP_WRITE);
            connection.channel().tellRefused();
        } catch (IOException | RuntimeException e) {
            LOGGER.debug("a refused client was not told: connection={} reason={}", connection, e.toString());
        } finally {
            closeAfterReading(connection);
        }
    }

    /** Closes, when what has arrived is read away, since what is unread resets the socket. */
    private void closeAfterReading(ClientConnection connection) {
        try {
            isAtEnd(connection);
        } catch (IOException e) {
            LOGGER.debug("a refused client is gone: connection={} reason={}", connection, e.toString());
        } finally {
            connections.close(connection);
        }
    }

    /** Whether the client has closed, as far as a turn reaches. */
    private boolean isAtEnd(ClientConnection connection) throws IOException {
        SocketChannel socket = connection.accepted().socket();
        int count = 1;
        for (int reads = 0; reads < READS && count > 0; reads++) {
            count = socket.read(thrownAway.clear());
        }
        return count < 0;
    }
}
