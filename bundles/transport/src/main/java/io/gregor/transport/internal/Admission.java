package io.gregor.transport.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets clients of a listening socket in, as far as limits and rates allow. Owned by the acceptor's thread. Never waits: it
 * says that the backlog has to, and for how long.
 *
 * <pre>
 *           no place, too fast for role or listener, accepting failed
 *  OPEN ───────────────────────────────────────────────────────────────▶ BLOCKED (a client waits in the backlog)
 *   ▲                                                                       │
 *   └───────────────── a place is free, the time is over ◀──────────────────┘
 * </pre>
 */
final class Admission {
    private static final Logger LOGGER = LoggerFactory.getLogger(Admission.class);
    private static final long PAUSE_AFTER_FAILURE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long OPEN = Long.MIN_VALUE;

    private final RoleTransport role;
    private final Time time;
    private final ServerSocketChannel server;
    private final Runnable whenFree;
    private final StrangerLog failures;
    private final ThrottledSockets throttled = new ThrottledSockets();
    private long pausedUntilNs;
    private long blockedSinceNs = OPEN;

    /** Lets in from this socket; {@code whenFree} is called by any thread when there may be a place again. */
    Admission(RoleTransport role, ServerSocketChannel server, Runnable whenFree) {
        this.role = role;
        this.time = role.time();
        this.server = server;
        this.whenFree = whenFree;
        this.failures = new StrangerLog(time);
        this.pausedUntilNs = time.nanoseconds();
    }

    /** Whether a client waits that cannot be let in for now. */
    boolean isBlocked() {
        return blockedSinceNs != OPEN;
    }

    /** For how many milliseconds nothing has to be done here, 0 is for ever; seen from this time. */
    long untilNextMs(long nowNs) {
        long nextNs = throttled.nextNs();
        if (isBlocked() && pausedUntilNs - nowNs > 0) {
            nextNs = Math.min(nextNs, pausedUntilNs);
        }
        return nextNs == IdleWheel.NEVER ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nextNs - nowNs) + 1);
    }

    /** Closes sockets that were accepted to be closed late. */
    void closeDue() {
        throttled.closeDue(time.nanoseconds());
    }

    /** Closes all of them. */
    void close() {
        throttled.closeAll();
    }

    /** Lets the next client in that waits; null if there is none, or {@link #isBlocked} from now on. */
    @Nullable
    Accepted next(AcceptTarget to) {
        while (!block(to)) {
            SocketChannel socket = accept(to);
            if (socket == null) {
                to.share().giveBackPlace();
                return null;
            }
            Accepted accepted = admit(to, socket);
            if (accepted != null) {
                return accepted;
            }
        }
        return null;
    }

    /** Whether nobody may be let in; if not, a place is taken. */
    private boolean block(AcceptTarget to) {
        long nowNs = time.nanoseconds();
        boolean mustWait = pausedUntilNs - nowNs > 0 || !to.share().tryTakePlace(whenFree);
        if (mustWait && !isBlocked()) {
            LOGGER.debug("the backlog waits: listener={} pauseNs={}", to.listener(), pausedUntilNs - nowNs);
            blockedSinceNs = nowNs;
        } else if (!mustWait && isBlocked()) {
            to.share().metrics().blocked(nowNs - blockedSinceNs);
            blockedSinceNs = OPEN;
        }
        return mustWait;
    }

    private @Nullable SocketChannel accept(AcceptTarget to) {
        try {
            return server.accept();
        } catch (IOException e) {
            failures.note("accepting failed: " + e, to.listener(), "unknown");
            long nowNs = time.nanoseconds();
            pausedUntilNs = nowNs + PAUSE_AFTER_FAILURE_NS;
            blockedSinceNs = nowNs;
            return null;
        }
    }

    private @Nullable Accepted admit(AcceptTarget to, SocketChannel socket) {
        InetAddress address = socket.socket().getInetAddress();
        boolean isProtected = to.share().isProtected();
        CreationRates.OfListener rate = to.share().creationRate();
        long waitMs = rate.count(isProtected);
        if (waitMs > 0) {
            pausedUntilNs = time.nanoseconds() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        }
        long lateMs = rate.countAddress(address, isProtected);
        if (lateMs > 0) {
            to.share().giveBackPlace();
            failures.note("connection_creation_rate is exceeded", to.listener(), address.getHostAddress());
            throttled.add(socket, time.nanoseconds() + TimeUnit.MILLISECONDS.toNanos(lateMs));
            return null;
        }
        if (!to.share().tryAddress(address)) {
            to.share().giveBackPlace();
            failures.note("max.connections.per.ip is reached", to.listener(), address.getHostAddress());
            Utils.closeQuietly(socket, "refused socket");
            return null;
        }
        role.excess().closeIfOver();
        return new Accepted(socket, address, to.share());
    }
}
