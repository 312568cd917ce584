package io.gregor.shell.internal;

import io.gregor.internal.node.EngineThread;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the console's socket: one thread accepts, and interrupts commands whose time is over; a few workers run them.
 * Owned by the accepting thread; {@link #close} is for any thread.
 *
 * <p>One connection is one command: the client sends it and closes its output, the server sends the output, a NUL and the
 * status. At most 128 commands wait for a worker, more are refused.
 */
public final class CommandServer implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(CommandServer.class);
    private static final int WORKERS = 4;
    private static final int WAITING = 128;
    private static final long IDLE_WORKER_S = 30;
    private static final long PAUSE_MS = 1_000;
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final SocketFile file;
    private final Duration timeLimit;
    private final CommandLine runner;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final SelectionKey accepting;
    private final ThreadPoolExecutor workers;
    private final Thread acceptor;

    /** Commands and when to look at them again, the nearest first. */
    private final PriorityQueue<Deadline> deadlines =
            new PriorityQueue<>((one, other) -> Long.signum(one.atNs - other.atNs));

    private volatile boolean isClosed;

    private record Deadline(CommandConnection connection, long atNs) {}

    /**
     * Binds the socket and serves it.
     *
     * @param timeLimit how long a command may run before it is interrupted
     * @throws IOException if the socket cannot be bound
     */
    public CommandServer(SocketFile file, Duration timeLimit, CommandLine runner) throws IOException {
        this.file = file;
        this.timeLimit = timeLimit;
        this.runner = runner;
        this.server = file.bind();
        this.selector = Selector.open();
        server.configureBlocking(false);
        this.accepting = server.register(selector, SelectionKey.OP_ACCEPT);
        this.workers = new ThreadPoolExecutor(
                WORKERS,
                WORKERS,
                IDLE_WORKER_S,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                EngineThread.daemons("gregor-shell-"));
        workers.allowCoreThreadTimeOut(true);
        this.acceptor = EngineThread.daemon("gregor-shell-acceptor", this::serve);
        acceptor.start();
    }

    private void serve() {
        while (!isClosed) {
            try {
                selector.select(accepting.interestOps() == 0 ? PAUSE_MS : untilNextDeadlineMs());
                selector.selectedKeys().clear();
                if (!isClosed) {
                    accepting.interestOps(SelectionKey.OP_ACCEPT);
                    acceptAll();
                    expire(System.nanoTime());
                }
            } catch (IOException fault) {
                LOGGER.warn("console cannot accept for pauseMs={} socket={}", PAUSE_MS, file.path(), fault);
                accepting.interestOps(0);
            }
        }
    }

    private void acceptAll() throws IOException {
        for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
            CommandConnection connection = new CommandConnection(channel, runner, timeLimit);
            try {
                workers.execute(connection);
                deadlines.add(new Deadline(connection, System.nanoTime() + CommandConnection.READ_LIMIT.toNanos()));
            } catch (RejectedExecutionException full) {
                connection.refuse("console is busy: waiting=" + WAITING + ", try again");
            }
        }
    }

    /** Zero, which is for ever, with nothing to wait for. */
    private long untilNextDeadlineMs() {
        deadlines.removeIf(deadline -> deadline.connection.isDone());
        Deadline nearest = deadlines.peek();
        if (nearest == null) {
            return 0;
        }
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nearest.atNs - System.nanoTime()) + 1);
    }

    private void expire(long nowNs) throws IOException {
        for (Deadline over = deadlines.peek(); over != null && over.atNs - nowNs <= 0; over = deadlines.peek()) {
            deadlines.remove();
            Duration more = over.connection.review();
            deadlines.add(new Deadline(over.connection, nowNs + more.toNanos()));
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try (server;
                selector) {
            selector.wakeup();
            for (Runnable waiting : workers.shutdownNow()) {
                ((CommandConnection) waiting).refuse("the node stops");
            }
            acceptor.join(GRACE.toMillis());
            workers.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            file.remove();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException fault) {
            LOGGER.warn("console socket not closed cleanly socket={}", file.path(), fault);
        }
    }
}
