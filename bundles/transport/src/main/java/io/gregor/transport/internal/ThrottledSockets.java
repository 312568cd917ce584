package io.gregor.transport.internal;

import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.apache.kafka.common.utils.Utils;

/**
 * Sockets of addresses that connect too fast: accepted, and closed when their time has come, so that a client which tries
 * again at once is slowed down. Owned by the acceptor's thread. Bounded: if there are too many, the next one goes early.
 */
final class ThrottledSockets {
    private static final int CAPACITY = 1000;

    /** One of them. Immutable. */
    private record Throttled(SocketChannel socket, long closeAtNs) {}

    private final PriorityQueue<Throttled> sockets =
            new PriorityQueue<>(Comparator.comparingLong(Throttled::closeAtNs));

    void add(SocketChannel socket, long closeAtNs) {
        sockets.add(new Throttled(socket, closeAtNs));
        if (sockets.size() > CAPACITY) {
            closeNext();
        }
    }

    /** When {@link #closeDue} has something to do; {@link IdleWheel#NEVER} if there is nothing. */
    long nextNs() {
        Throttled next = sockets.peek();
        return next == null ? IdleWheel.NEVER : next.closeAtNs();
    }

    /** Closes those whose time has come. */
    void closeDue(long nowNs) {
        while (nextNs() <= nowNs) {
            closeNext();
        }
    }

    /** Closes all. */
    void closeAll() {
        closeDue(IdleWheel.NEVER - 1);
    }

    private void closeNext() {
        Utils.closeQuietly(sockets.remove().socket(), "throttled socket");
    }
}
