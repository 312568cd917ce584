package io.gregor.transport.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of one listener and deals them out to its processors in turn. Owned by its own thread;
 * {@link #close} is for any thread. May wait for the last of the processors, if the queues of all are full. When there may
 * be no more connections it lets the backlog wait, and is told when there may.
 */
public final class Acceptor implements Runnable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Acceptor.class);
    private static final long PAUSE_AFTER_FAILURE_MS = 100;

    private final RoleTransport role;
    private final ServerSocketChannel server;
    private final ListenerShare share;
    private final List<Processor> processors;
    private final String listener;
    private final Selector selector;
    private final Thread thread;
    private final StrangerLog failures;
    private int nextProcessor;
    private volatile boolean closed;

    /** What to do after accepting. */
    private enum Next {
        /** Wait for clients. */
        LISTEN,
        /** Wait for a place. */
        FULL,
        /** Wait a moment: the operating system refuses sockets. */
        PAUSE
    }

    /** An acceptor whose thread is not started. */
    public Acceptor(RoleTransport role, ServerPort port, ListenerShare share, List<Processor> processors)
            throws IOException {
        this.role = role;
        this.server = port.channel();
        this.share = share;
        this.processors = List.copyOf(processors);
        this.listener = port.endpoint().listener();
        this.selector = Selector.open();
        this.failures = new StrangerLog(role.time());
        this.thread = EngineThread.nonDaemon(
                "data-plane-kafka-socket-acceptor-" + listener + "-"
                        + port.endpoint().securityProtocol() + "-"
                        + port.endpoint().port(),
                this);
    }

    /** Starts the thread; once. */
    public void start() {
        thread.start();
    }

    /** Accepts nothing more and ends the thread, which closes the port. */
    public void close() {
        closed = true;
        selector.wakeup();
        thread.interrupt(); // it may wait for a processor; nothing but the port is closed by it
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
            while (!closed) {
                selector.select(ready -> {}, next == Next.PAUSE ? PAUSE_AFTER_FAILURE_MS : 0);
                next = acceptAll();
                key.interestOps(next == Next.LISTEN ? SelectionKey.OP_ACCEPT : 0);
            }
        } catch (InterruptedException e) {
            LOGGER.debug("acceptor interrupted: listener={}", listener);
        } catch (Throwable fault) {
            if (!closed) {
                role.faults().handleFault("an acceptor failed: thread=" + thread.getName(), fault);
            }
        }
    }

    private Next acceptAll() throws InterruptedException {
        while (!closed) {
            if (!share.tryTakePlace(selector::wakeup)) {
                LOGGER.debug("no place for another connection, the backlog waits: listener={}", listener);
                return Next.FULL;
            }
            SocketChannel socket = null;
            try {
                socket = server.accept();
            } catch (IOException e) {
                failures.note("accepting failed: " + e, listener, "unknown");
                return Next.PAUSE;
            } finally {
                if (socket == null) {
                    share.giveBackPlace();
                }
            }
            if (socket == null) {
                return Next.LISTEN;
            }
            admit(socket);
        }
        return Next.LISTEN;
    }

    private void admit(SocketChannel socket) throws InterruptedException {
        InetAddress address = socket.socket().getInetAddress();
        if (!share.tryAddress(address)) {
            share.giveBackPlace();
            failures.note("max.connections.per.ip is reached", listener, address.getHostAddress());
            close(socket);
            return;
        }
        Accepted accepted = new Accepted(socket, address, share);
        try {
            socket.configureBlocking(false);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            if (role.settings().sendBufferBytes() != TransportSettings.SYSTEM_DEFAULT) {
                socket.setOption(
                        StandardSocketOptions.SO_SNDBUF, role.settings().sendBufferBytes());
            }
            assign(accepted);
        } catch (IOException e) {
            LOGGER.debug("a client was gone before it was taken: client={} reason={}", address, e.toString());
            accepted.discard();
        } catch (InterruptedException e) {
            accepted.discard();
            throw e;
        }
    }

    /** To the next processor in turn that has room; if none has, the last one asked is waited for. */
    private void assign(Accepted accepted) throws InterruptedException {
        int tries = processors.size();
        boolean taken = false;
        while (!taken) {
            tries--;
            Processor processor = processors.get(nextProcessor);
            nextProcessor = (nextProcessor + 1) % processors.size();
            taken = processor.offer(accepted, tries == 0);
        }
    }

    private void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOGGER.debug("closing a socket failed: listener={} reason={}", listener, e.toString());
        }
    }
}
