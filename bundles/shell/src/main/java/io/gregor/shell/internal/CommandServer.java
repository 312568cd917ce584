package io.gregor.shell.internal;

import io.gregor.internal.node.EngineThread;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final SocketFile file;
    private final Duration timeLimit;
    private final Function<String, Reply> runner;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final ThreadPoolExecutor workers;
    private final Thread acceptor;

    /** Commands and when their time is over, the oldest first. */
    private final Deque<Deadline> deadlines = new ArrayDeque<>();

    private volatile boolean isClosed;

    private record Deadline(CommandConnection connection, long atNs) {}

    /**
     * Binds the socket and serves it.
     *
     * @param timeLimit how long a command may take, with reading it and writing the answer
     * @throws IOException if the socket cannot be bound
     */
    public CommandServer(SocketFile file, Duration timeLimit, Function<String, Reply> runner) throws IOException {
        this.file = file;
        this.timeLimit = timeLimit;
        this.runner = runner;
        this.server = file.bind();
        this.selector = Selector.open();
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
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
                selector.select(untilNextDeadlineMs());
                selector.selectedKeys().clear();
                if (!isClosed) {
                    acceptAll();
                    expire(System.nanoTime());
                }
            } catch (IOException fault) {
                LOGGER.warn("console cannot accept socket={}", file.path(), fault);
            }
        }
    }

    private void acceptAll() throws IOException {
        for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
            CommandConnection connection = new CommandConnection(channel, runner);
            try {
                workers.execute(connection);
                deadlines.add(new Deadline(connection, System.nanoTime() + timeLimit.toNanos()));
            } catch (RejectedExecutionException full) {
                connection.refuse("console is busy: waiting=" + WAITING + ", try again");
            }
        }
    }

    /** Zero, which is for ever, with nothing to wait for. */
    private long untilNextDeadlineMs() {
        while (!deadlines.isEmpty() && deadlines.peekFirst().connection.isDone()) {
            deadlines.removeFirst();
        }
        if (deadlines.isEmpty()) {
            return 0;
        }
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlines.peekFirst().atNs - System.nanoTime()));
    }

    private void expire(long nowNs) throws IOException {
        while (!deadlines.isEmpty() && deadlines.peekFirst().atNs - nowNs <= 0) {
            Deadline over = deadlines.removeFirst();
            over.connection.expire();
            if (!over.connection.isDone()) {
                deadlines.add(new Deadline(over.connection, nowNs + GRACE.toNanos()));
            }
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
            workers.shutdownNow();
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
