package io.gregor.transport.internal;

import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An accepted socket with its place among the connections. Shared: any thread.
 *
 * <pre>
 *  HERE ──condemn──▶ CONDEMNED
 *   └───discard───▶ GONE ◀───┘
 * </pre>
 */
final class Accepted {
    private static final Logger LOGGER = LoggerFactory.getLogger(Accepted.class);

    private enum Fate {
        HERE,
        CONDEMNED,
        GONE
    }

    private final SocketChannel socket;
    private final InetAddress address;
    private final ListenerShare share;
    private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.HERE);

    Accepted(SocketChannel socket, InetAddress address, ListenerShare share) {
        this.socket = socket;
        this.address = address;
        this.share = share;
    }

    SocketChannel socket() {
        return socket;
    }

    InetAddress address() {
        return address;
    }

    ListenerShare share() {
        return share;
    }

    boolean isGone() {
        return fate.get() == Fate.GONE;
    }

    /** Says that it will be closed as there are too many connections; false if it was said before, or it is gone. */
    boolean condemn() {
        return fate.compareAndSet(Fate.HERE, Fate.CONDEMNED);
    }

    /** Closes the socket and gives the place back; again has no effect. */
    void discard() {
        Fate before = fate.getAndSet(Fate.GONE);
        if (before == Fate.GONE) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            LOGGER.debug("closing a socket failed: client={} reason={}", address, e.toString());
        } finally {
            share.leave(address, before == Fate.CONDEMNED);
        }
    }
}
