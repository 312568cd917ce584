package io.gregor.transport.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.EngineThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
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
    private static final long PAUSE_AFTER_FAILURE_MS = 100;

    private final RoleTransport role;
    private final ServerPort port;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final Thread thread;
    private final StrangerLog failures;
    private final Object lock = new Object();
    private volatile @Nullable AcceptTarget target;
    private volatile boolean closed;
    private volatile boolean finishing;

    @GuardedBy("lock")
    private boolean started;

    /** What to do after accepting. */
    private enum Next {
        /** Wait for clients. */
        LISTEN,
        /** Wait for a place. */
        FULL,
        /** Wait a moment: the operating system refuses sockets. */
        PAUSE
    }

    private Acceptor(RoleTransport role, ServerPort port) throws IOException {
        this.role = role;
        this.port = port;
        this.server = port.channel();
        this.selector = Selector.open();
        this.failures = new StrangerLog(role.time());
        this.thread = EngineThread.nonDaemon("data-plane-kafka-socket-acceptor", this);
    }

    /** Binds the address of a listener; clients wait in the backlog. */
    static Acceptor bind(RoleTransport role, Endpoint endpoint) {
        ServerPort port = ServerPort.bind(endpoint, role.settings());
        LOGGER.info("port bound: listener={} host={} port={}", endpoint.listener(), port.host(), port.port());
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
            Next next = Next.LISTEN;
            while (!closed && !finishing) {
                selector.select(ready -> {}, next == Next.PAUSE ? PAUSE_AFTER_FAILURE_MS : 0);
                next = acceptAll();
                key.interestOps(next == Next.LISTEN ? SelectionKey.OP_ACCEPT : 0);
            }
            acceptAll();
        } catch (InterruptedException e) {
            LOGGER.debug("acceptor interrupted: thread={}", thread.getName());
        } catch (Throwable fault) {
            if (!closed) {
                role.faults().handleFault("an acceptor failed: thread=" + thread.getName(), fault);
            }
        }
    }

    private Next acceptAll() throws InterruptedException {
        while (!closed) {
            AcceptTarget to = Objects.requireNonNull(target, "opened");
            if (!to.share().tryTakePlace(selector::wakeup)) {
                LOGGER.debug("no place for another connection, the backlog waits: listener={}", to.listener());
                return Next.FULL;
            }
            SocketChannel socket = null;
            try {
                socket = server.accept();
            } catch (IOException e) {
                failures.note("accepting failed: " + e, to.listener(), "unknown");
                return Next.PAUSE;
            } finally {
                if (socket == null) {
                    to.share().giveBackPlace();
                }
            }
            if (socket == null) {
                return Next.LISTEN;
            }
            admit(to, socket);
        }
        return Next.LISTEN;
    }

    private void admit(AcceptTarget to, SocketChannel socket) throws InterruptedException {
        InetAddress address = socket.socket().getInetAddress();
        if (!to.share().tryAddress(address)) {
            to.share().giveBackPlace();
            failures.note("max.connections.per.ip is reached", to.listener(), address.getHostAddress());
            Utils.closeQuietly(socket, "refused socket");
            return;
        }
        Accepted accepted = new Accepted(socket, address, to.share());
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
            LOGGER.debug("a client was gone before it was taken: client={} reason={}", address, e.toString());
            accepted.discard();
        } catch (InterruptedException e) {
            accepted.discard();
            throw e;
        }
    }
}
