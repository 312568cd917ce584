package io.gregor.transport.internal;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one processor. Owned by the processor thread, which alone adds and closes; others may look at
 * {@link #all}.
 */
final class ConnectionSet {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionSet.class);

    private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();
    private final RoleTransport role;
    private final NetworkCounters counters;
    private final ProcessorMetrics metrics;
    private final IdleWheel unfinished;
    private IdleWheel idle;
    private long maxIdleMs;

    ConnectionSet(RoleTransport role, NetworkCounters counters, ProcessorMetrics metrics) {
        long nowNs = role.time().nanoseconds();
        this.role = role;
        this.counters = counters;
        this.metrics = metrics;
        this.unfinished = new IdleWheel(Unfinished.LEAST_PATIENCE_NS, nowNs);
        this.maxIdleMs = role.settings().maxIdleMs();
        this.idle = wheel(nowNs);
    }

    /** What is counted of the processor's work. */
    NetworkCounters counters() {
        return counters;
    }

    Set<ClientConnection> all() {
        return connections;
    }

    void add(ClientConnection connection, long nowNs) {
        connections.add(connection);
        metrics.clients().came(connection.clientInformation(), nowNs);
        CipherInformation cipher = connection.cipher();
        if (cipher != null) {
            metrics.ciphers().came(cipher, nowNs);
        }
        idle.add(connection, nowNs);
        watch(connection, nowNs);
    }

    /** The client software of a connection has become known. */
    void renamed(ClientInformation before, ClientInformation after) {
        long nowNs = role.time().nanoseconds();
        metrics.clients().went(before, nowNs);
        metrics.clients().came(after, nowNs);
    }

    /** The cipher of a connection has become known. */
    void agreed(CipherInformation cipher) {
        metrics.ciphers().came(cipher, role.time().nanoseconds());
    }

    /** Sees to it that what a connection has begun comes to an end, if it has begun something. */
    void watch(ClientConnection connection, long nowNs) {
        if (!connection.unfinished().isWatched()) {
            unfinished.add(connection.unfinished(), nowNs);
        }
    }

    /** Forgets a connection that goes to another processor. */
    void release(ClientConnection connection) {
        if (connections.remove(connection)) {
            long nowNs = role.time().nanoseconds();
            metrics.clients().went(connection.clientInformation(), nowNs);
            CipherInformation cipher = connection.cipher();
            if (cipher != null) {
                metrics.ciphers().went(cipher, nowNs);
            }
        }
        idle.remove(connection);
        unfinished.remove(connection.unfinished());
    }

    /** Looks whether connections may be idle for another time than before. */
    void followSettings(long nowNs) {
        long next = role.settings().maxIdleMs();
        if (next != maxIdleMs) {
            maxIdleMs = next;
            connections.forEach(idle::remove);
            idle = wheel(nowNs);
            connections.forEach(connection -> idle.add(connection, nowNs));
        }
    }

    /** When {@link #closeIdle} has something to do; {@link IdleWheel#NEVER} if there is nothing. */
    long nextCheckNs() {
        return Math.min(
                Math.min(idle.nextCheckNs(), unfinished.nextCheckNs()),
                Math.min(metrics.clients().nextCheckNs(), metrics.ciphers().nextCheckNs()));
    }

    void closeIdle(long nowNs) {
        metrics.clients().removeGone(nowNs);
        metrics.ciphers().removeGone(nowNs);
        idle.expire(nowNs, entry -> expire((ClientConnection) entry, "idle"));
        unfinished.expire(nowNs, entry -> {
            ClientConnection connection = ((Unfinished) entry).connection();
            expire(connection, connection.channel().isReady() ? "half a frame" : "half a handshake");
        });
    }

    /** The authentication of a connection failed, or the handshake below it. */
    void noteFailedAuthentication(ClientConnection connection) {
        counters.authenticationFailed(connection.channel(), role.time().nanoseconds());
    }

    /** Somebody who is not known yet brought about a fault; who just went away does not count. */
    void noteStranger(ClientConnection connection, Throwable fault) {
        Throwable reason = fault instanceof StepFailure && fault.getCause() != null ? fault.getCause() : fault;
        if (reason instanceof SSLException || reason.getCause() != null || !(reason instanceof IOException)) {
            role.failures()
                    .note(
                            "its first bytes led to " + reason,
                            connection.listener().value(),
                            connection.clientAddress().getHostAddress());
        }
    }

    /** A request came after the end of a connection's session. */
    void noteExpiredSession(long nowNs) {
        counters.expired.add(1, nowNs);
        role.metrics().sessionExpired();
    }

    /** Closes a connection and gives back all that it has; again has no effect. */
    void close(ClientConnection connection) {
        if (connection.isClosed()) {
            return;
        }
        connection.markClosed();
        release(connection);
        counters.closed.add(1, role.time().nanoseconds());
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
        role.disconnections().tell(connection.id());
    }

    private void expire(ClientConnection connection, String reason) {
        LOGGER.debug("closing a connection that does nothing: connection={} reason={}", connection, reason);
        close(connection);
    }

    private IdleWheel wheel(long nowNs) {
        return new IdleWheel(maxIdleMs < 0 ? -1 : TimeUnit.MILLISECONDS.toNanos(maxIdleMs), nowNs);
    }
}
