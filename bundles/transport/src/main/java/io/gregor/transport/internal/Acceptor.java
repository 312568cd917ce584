package io.gregor.transport.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.EngineThread;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening socket of one listener, and who accepts on it: connections are dealt out to the listener's processors in
 * turn. Owned by its own thread; what is public is for any thread. May wait for the last of the processors, if the queues of
 * all are full. When there may be no more connections it lets the backlog wait, and is told when there may.
 *
 * <pre>
 *  bound (clients wait in the backlog) ──open──▶ accepting ──finish──▶ taking the backlog ──▶ closed
 *    └────────────────────────────────────────────close──────────────────────────────────────────▲
 * </pre>
 */
public final class Acceptor implements Runnable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Acceptor.class);

    private final RoleTransport role;
    private final ServerPort port;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final Thread thread;
    private final Admission admission;
    private final Object lock = new Object();
    private volatile @Nullable AcceptTarget target;
    private volatile CountDownLatch settled = new CountDownLatch(0);
    private volatile boolean closed;
    private volatile boolean finishing;

    @GuardedBy("lock")
    private boolean started;

    private Acceptor(RoleTransport role, ServerPort port) throws IOException {
        this.role = role;
        this.port = port;
        this.server = port.channel();
        this.selector = Selector.open();
        this.admission = new Admission(role, server, selector::wakeup);
        this.thread = EngineThread.nonDaemon("data-plane-kafka-socket-acceptor", this);
    }

    /**
     * Binds the address of a listener; clients wait in the backlog.
     *
     * @param leaving own sockets that go when this one is taken into use
     */
    static Acceptor bind(RoleTransport role, Endpoint endpoint, List<ServerPort> leaving) {
        ServerPort port = ServerPort.bind(endpoint, role.settings(), leaving);
        LOGGER.info("port bound: listener={} address={}", endpoint.listener(), port.address());
        try {
            return new Acceptor(role, port);
        } catch (IOException e) {
            Utils.closeQuietly(port.channel(), "listening socket");
            throw new CannotBindException(endpoint, e);
        }
    }

    /** The port it listens on. */
    ServerPort port() {
        return port;
    }

    /** Accepts for this listener from now on: what waits in the backlog is taken. */
    void open(AcceptTarget listener) {
        target = listener;
        thread.setName("data-plane-kafka-socket-acceptor-" + listener.listener() + "-" + listener.protocol() + "-"
                + port.port());
        synchronized (lock) {
            if (!started && !closed) {
                started = true;
                thread.start();
            }
        }
        selector.wakeup(); // it may wait for a place of the former listener
    }

    /** Accepts nothing more, and closes the port. */
    public void close() {
        boolean hasThread;
        synchronized (lock) {
            closed = true;
            hasThread = started;
        }
        if (hasThread) {
            selector.wakeup();
            thread.interrupt(); // it may wait for a processor; nothing but the port is closed by it
        } else {
            Utils.closeQuietly(selector, "selector");
            Utils.closeQuietly(server, "listening socket");
        }
    }

    /** Accepts what waits in the backlog, then closes the port: nobody is turned away who was let in. */
    void finish() {
        synchronized (lock) {
            finishing = started;
        }
        if (finishing) {
            selector.wakeup();
        } else {
            close();
        }
    }

    /** Waits until whoever was let in for a former listener is dealt out; bounded. */
    void settle(long timeoutMs) throws InterruptedException {
        CountDownLatch isSettled = new CountDownLatch(1);
        settled = isSettled;
        selector.wakeup();
        if (thread.isAlive() && !isSettled.await(timeoutMs, TimeUnit.MILLISECONDS)) {
            LOGGER.warn(
                    "an acceptor waits for room at a processor: thread={} waitedMs={}", thread.getName(), timeoutMs);
        }
    }

    /** Waits for the end of the thread; false if it takes longer. */
    public boolean awaitEnd(long timeoutMs) throws InterruptedException {
        thread.join(timeoutMs);
        return !thread.isAlive();
    }

    @Override
    public void run() {
        try (selector;
                server) {
            SelectionKey key = server.register(selector, SelectionKey.OP_ACCEPT);
            while (!closed && !finishing) {
                boolean mayWait = await(key);
                settled.countDown();
                if (mayWait) {
                    acceptAll();
                }
            }
            acceptAll();
        } catch (InterruptedException e) {
            LOGGER.debug("acceptor interrupted: thread={}", thread.getName());
        } catch (Throwable fault) {
            if (!closed) {
                role.faults().handleFault("an acceptor failed: thread=" + thread.getName(), fault);
            }
        } finally {
            settled.countDown();
            admission.close();
        }
    }

    /** Waits for clients, or for what may let them in; whether some may wait then. */
    private boolean await(SelectionKey key) throws IOException {
        boolean wasBlocked = admission.isBlocked();
        key.interestOps(wasBlocked ? 0 : SelectionKey.OP_ACCEPT);
        boolean[] isReady = {wasBlocked};
        selector.select(
                ready -> isReady[0] = true, admission.untilNextMs(role.time().nanoseconds()));
        admission.closeDue();
        return isReady[0];
    }

    private void acceptAll() throws InterruptedException {
        Accepted next;
        do {
            AcceptTarget to = Objects.requireNonNull(target, "opened");
            next = admission.next(to);
            if (next != null) {
                take(to, next);
            }
        } while (next != null && !closed);
    }

    private void take(AcceptTarget to, Accepted accepted) throws InterruptedException {
        SocketChannel socket = accepted.socket();
        int sendBufferBytes = role.settings().sockets().sendBufferBytes();
        try {
            socket.configureBlocking(false);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            if (sendBufferBytes != TransportSettings.SYSTEM_DEFAULT) {
                socket.setOption(StandardSocketOptions.SO_SNDBUF, sendBufferBytes);
            }
            to.rotation().assign(accepted);
        } catch (IOException e) {
            LOGGER.debug(
                    "a client was gone before it was taken: client={} reason={}", accepted.address(), e.toString());
            accepted.discard();
        } catch (InterruptedException e) {
            accepted.discard();
            throw e;
        }
    }
}
