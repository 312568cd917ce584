package io.gregor.shell.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client with one command: reads it to the end of the input, runs it, answers and closes. Owned by a worker thread;
 * {@link #review} and {@link #refuse} are for the accepting thread.
 *
 * <pre>
 * WAITING ─ a worker ─▶ READING ─ end of input ─▶ RUNNING ─ review ─▶ TIMED ─ review ─▶ OVERDUE (interrupted, then closed)
 *                          └─ review: nobody sends ──────────────────────────────────────▲
 * any ─ answered, refused or gone ─▶ DONE
 * </pre>
 */
final class CommandConnection implements Runnable {
    static final int COMMAND_LIMIT_BYTES = 64 * 1024;

    private static final int OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;

    /** When the first {@link #review} is due: until then a client has sent its command. */
    static final Duration READ_LIMIT = Duration.ofSeconds(10);

    private static final Logger LOGGER = LoggerFactory.getLogger(CommandConnection.class);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private enum Stage {
        WAITING,
        READING,
        RUNNING,
        TIMED,
        OVERDUE,
        DONE
    }

    private final SocketChannel channel;
    private final CommandLine runner;
    private final Duration timeLimit;

    @GuardedBy("this")
    private Stage stage = Stage.WAITING;

    @GuardedBy("this")
    private @Nullable Thread worker;

    CommandConnection(SocketChannel channel, CommandLine runner, Duration timeLimit) {
        this.channel = channel;
        this.runner = runner;
        this.timeLimit = timeLimit;
    }

    synchronized boolean isDone() {
        return stage == Stage.DONE;
    }

    @Override
    public void run() {
        begin();
        try (channel) {
            serve(Channels.newInputStream(channel), new ReplyOutput(channel, OUTPUT_LIMIT_BYTES));
        } catch (IOException gone) {
            LOGGER.debug("console client went away", gone);
        } finally {
            end();
        }
    }

    private void serve(InputStream in, ReplyOutput out) throws IOException {
        byte[] bytes = in.readNBytes(COMMAND_LIMIT_BYTES + 1);
        if (bytes.length > COMMAND_LIMIT_BYTES) {
            in.transferTo(OutputStream.nullOutputStream());
            refuse("command too long: limitBytes=" + COMMAND_LIMIT_BYTES);
            return;
        }
        enter(Stage.RUNNING);
        int status = runner.run(new String(bytes, StandardCharsets.UTF_8), Caller.at(channel), out);
        out.end(status);
    }

    private synchronized void begin() {
        worker = Thread.currentThread();
        stage = Stage.READING;
    }

    private synchronized void enter(Stage next) {
        stage = next;
    }

    /** Nobody interrupts the worker from here on; what was meant for this command does not meet the next one. */
    private synchronized void end() {
        worker = null;
        stage = Stage.DONE;
        Thread.interrupted();
    }

    /**
     * Looks whether its time is over: first nobody may be sending, then the command may take too long, in the end even its
     * interruption.
     *
     * @return when to look again
     */
    synchronized Duration review() throws IOException {
        switch (stage) {
            case WAITING -> {
                return READ_LIMIT;
            }
            case RUNNING -> {
                stage = Stage.TIMED;
                return timeLimit;
            }
            case READING, TIMED -> {
                stage = Stage.OVERDUE;
                if (worker != null) {
                    worker.interrupt();
                }
            }
            case OVERDUE -> channel.close();
            case DONE -> {}
        }
        return GRACE;
    }

    /** Answers without running anything. */
    void refuse(String reason) throws IOException {
        enter(Stage.DONE);
        try (channel) {
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(new Reply(reason).bytes()));
        }
    }
}
