package io.gregor.transport.internal;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one processor. Owned by the processor thread, which alone adds and closes; others may look at
 * {@link #all}.
 */
final class ConnectionSet {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionSet.class);
    private static final long NS_PER_MS = 1_000_000L;

    private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();
    private final IdleWheel idle;

    ConnectionSet(long maxIdleMs, long nowNs) {
        idle = new IdleWheel(maxIdleMs < 0 ? -1 : maxIdleMs * NS_PER_MS, nowNs);
    }

    Set<ClientConnection> all() {
        return connections;
    }

    void add(ClientConnection connection, long nowNs) {
        connections.add(connection);
        idle.add(connection, nowNs);
    }

    /** Forgets a connection that goes to another processor. */
    void release(ClientConnection connection) {
        connections.remove(connection);
        idle.remove(connection);
    }

    /** When {@link #closeIdle} has something to do; {@link IdleWheel#NEVER} if there is nothing. */
    long nextCheckNs() {
        return idle.nextCheckNs();
    }

    void closeIdle(long nowNs) {
        idle.expire(nowNs, entry -> {
            ClientConnection connection = (ClientConnection) entry;
            LOGGER.debug("closing an idle connection: connection={}", connection);
            close(connection);
        });
    }

    /** Closes a connection and gives back all that it has; again has no effect. */
    void close(ClientConnection connection) {
        if (connection.isClosed()) {
            return;
        }
        connection.markClosed();
        release(connection);
        try {
            connection.channel().close();
        } catch (IOException | RuntimeException e) {
            LOGGER.debug("closing a channel failed: connection={} reason={}", connection, e.toString());
        } finally {
            connection.key().cancel();
            connection.frames().close();
            connection.accepted().discard();
        }
        try {
            connection.writer().drop();
            connection.dropOutgoing();
        } catch (RuntimeException e) {
            LOGGER.error("a response could not be dropped: connection={}", connection, e);
        }
    }
}
