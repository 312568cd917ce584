package io.gregor.transport.internal;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients that an authenticator refused: told and closed after {@code connection.failed.authentication.delay.ms}, so that
 * guessing takes time. Owned by the processor thread.
 */
final class RefusedClients {
    private static final Logger LOGGER = LoggerFactory.getLogger(RefusedClients.class);
    private static final long NS_PER_MS = 1_000_000L;

    /** One of them. Immutable. */
    private record Refused(ClientConnection connection, long closeAtNs) {}

    private final ConnectionSet connections;
    private final RoleTransport role;
    private final ArrayDeque<Refused> refused = new ArrayDeque<>();

    RefusedClients(ConnectionSet connections, RoleTransport role) {
        this.connections = connections;
        this.role = role;
    }

    /** Refuses a client; nothing more is read from it. */
    void add(ClientConnection connection, long nowNs) {
        LOGGER.debug("authentication failed: connection={}", connection);
        connections.noteFailedAuthentication(connection);
        connection.key().remove(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        long delayNs = role.settings().failedAuthenticationDelayMs() * NS_PER_MS;
        refused.add(new Refused(connection, nowNs + delayNs));
        closeDue(nowNs);
    }

    /** When {@link #closeDue} has something to do; {@link IdleWheel#NEVER} if there is nothing. */
    long nextNs() {
        Refused first = refused.peek();
        return first == null ? IdleWheel.NEVER : first.closeAtNs();
    }

    /** Tells and closes those whose time has come. */
    void closeDue(long nowNs) {
        while (nextNs() <= nowNs) {
            ClientConnection connection = refused.remove().connection();
            if (!connection.isClosed()) {
                tellAndClose(connection);
            }
        }
    }

    private void tellAndClose(ClientConnection connection) {
        try {
            connection.key().add(SelectionKey.OP_WRITE);
            connection.channel().tellRefused();
        } catch (IOException | RuntimeException e) {
            LOGGER.debug("a refused client was not told: connection={} reason={}", connection, e.toString());
        } finally {
            connections.close(connection);
        }
    }
}
