package io.gregor.transport.internal;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ArrayBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of accepted sockets into one processor: a queue of 20, and what makes connections of them. The acceptor offers
 * and may wait for room; the rest is owned by the processor thread.
 */
final class NewConnections {
    /** As many wait, and as many are taken in a turn. */
    static final int CAPACITY = 20;

    private static final Logger LOGGER = LoggerFactory.getLogger(NewConnections.class);

    private final ArrayBlockingQueue<Accepted> queue = new ArrayBlockingQueue<>(CAPACITY);
    private final Processor processor;
    private final RoleTransport role;
    private final Selector selector;
    private final NetworkCounters counters;
    private volatile ListenerChannels channels;
    private volatile boolean closed;
    private int nextIndex;

    NewConnections(
            Processor processor,
            RoleTransport role,
            ListenerChannels channels,
            Selector selector,
            NetworkCounters counters) {
        this.processor = processor;
        this.role = role;
        this.channels = channels;
        this.selector = selector;
        this.counters = counters;
    }

    /** Puts a socket into the queue; false if it is full and the caller would not wait, or if no more are taken. */
    boolean offer(Accepted accepted, boolean mayWait) throws InterruptedException {
        if (closed) {
            return false;
        }
        if (!queue.offer(accepted)) {
            if (!mayWait) {
                return false;
            }
            long fullSinceNs = role.time().nanoseconds();
            queue.put(accepted);
            accepted.share().metrics().blocked(role.time().nanoseconds() - fullSinceNs);
        }
        return !closed || !queue.remove(accepted);
    }

    /** What connections get now. */
    ListenerChannels channels() {
        return channels;
    }

    /** From now on connections get this. Any thread. */
    void channels(ListenerChannels next) {
        channels = next;
    }

    /** Takes no more; the processor takes those that wait, which lets an acceptor go that waits for room. Any thread. */
    void close() {
        closed = true;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Makes connections of those that wait, of 20 at most. */
    void takeInto(ConnectionSet connections) {
        for (int taken = 0; taken < CAPACITY; taken++) {
            Accepted accepted = queue.poll();
            if (accepted == null) {
                return;
            }
            try {
                long nowNs = role.time().nanoseconds();
                connections.add(open(accepted, nowNs), nowNs);
                counters.created.add(1, nowNs);
                role.excess().closeIfOver(); // the limit may have been lowered while it waited
            } catch (IOException e) {
                LOGGER.debug(
                        "a client was gone before it was taken: client={} reason={}", accepted.address(), e.toString());
                accepted.discard();
            } catch (RuntimeException | Error e) {
                LOGGER.error("a connection could not be set up: client={}", accepted.address(), e);
                accepted.discard();
            }
        }
    }

    /** Closes those that wait. Any thread, once the processor has ended. */
    void discard() {
        for (Accepted next = queue.poll(); next != null; next = queue.poll()) {
            next.discard();
        }
    }

    private ClientConnection open(Accepted accepted, long nowNs) throws IOException {
        ListenerChannels now = used();
        try {
            return open(accepted, now, nowNs);
        } catch (IOException | RuntimeException | Error e) {
            now.release();
            throw e;
        }
    }

    /** What connections get now, used once more; it may change while it is looked at. */
    @SuppressWarnings("ReferenceEquality")
    private ListenerChannels used() {
        ListenerChannels now = channels;
        while (!now.tryUse()) {
            ListenerChannels next = channels;
            if (next == now) {
                throw new IllegalStateException(
                        "the listener has given up what its connections get: " + now.listener());
            }
            now = next;
        }
        return now;
    }

    private ClientConnection open(Accepted accepted, ListenerChannels now, long nowNs) throws IOException {
        SocketChannel socket = accepted.socket();
        String connectionId = nextId(socket.socket());
        ForwardingKey key = new ForwardingKey(socket, SelectionKey.OP_READ);
        SelectionKey registration = key.register(selector);
        ConnectionSecurity security =
                new ConnectionSecurity(connectionId, key, role.sideThreads(now.listener()), role.versions()::current);
        SecureChannel channel = new SecureChannel(security, now.layer().part().open(security), now, nowNs);
        ClientConnection.Parts parts = new ClientConnection.Parts(connectionId, now, accepted, key, channel);
        ClientConnection connection = new ClientConnection(parts, processor, role);
        security.whenEnded(connection::stepEnded);
        registration.attach(connection);
        return connection;
    }

    private String nextId(Socket socket) {
        int index = nextIndex;
        nextIndex = index == Integer.MAX_VALUE ? 0 : index + 1;
        return socket.getLocalAddress().getHostAddress() + ":" + socket.getLocalPort() + "-"
                + socket.getInetAddress().getHostAddress() + ":" + socket.getPort() + "-" + processor.id() + "-"
                + index;
    }
}
