package io.gregor.shell.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client with one command: reads it to the end of the input, runs it, answers and closes. Owned by a worker thread;
 * {@link #expire} and {@link #refuse} are for the accepting thread.
 */
final class CommandConnection implements Runnable {
    static final int COMMAND_LIMIT_BYTES = 64 * 1024;

    private static final Logger LOGGER = LoggerFactory.getLogger(CommandConnection.class);

    private final SocketChannel channel;
    private final Function<String, Reply> runner;

    @GuardedBy("this")
    private @Nullable Thread worker;

    @GuardedBy("this")
    private boolean isExpired;

    private volatile boolean isDone;

    CommandConnection(SocketChannel channel, Function<String, Reply> runner) {
        this.channel = channel;
        this.runner = runner;
    }

    boolean isDone() {
        return isDone;
    }

    @Override
    public void run() {
        begin();
        try (channel) {
            answer(reply(Channels.newInputStream(channel)));
        } catch (IOException gone) {
            LOGGER.debug("console client went away", gone);
        } finally {
            end();
        }
    }

    private Reply reply(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(COMMAND_LIMIT_BYTES + 1);
        if (bytes.length > COMMAND_LIMIT_BYTES) {
            return Reply.failed("command too long: limitBytes=" + COMMAND_LIMIT_BYTES);
        }
        return runner.apply(new String(bytes, StandardCharsets.UTF_8));
    }

    /** Takes the interruption of a late command back, so that the client still hears of it. */
    private void answer(Reply reply) throws IOException {
        Thread.interrupted();
        ByteBuffer bytes = ByteBuffer.wrap(reply.bytes());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private synchronized void begin() {
        worker = Thread.currentThread();
    }

    private synchronized void end() {
        worker = null;
        isDone = true;
        Thread.interrupted();
    }

    /** Its time is over: the command is interrupted; called again, the connection is closed. */
    synchronized void expire() throws IOException {
        if (isDone) {
            return;
        }
        if (worker == null || isExpired) {
            channel.close();
            return;
        }
        isExpired = true;
        worker.interrupt();
    }

    /** Answers without running anything. */
    void refuse(String reason) throws IOException {
        isDone = true;
        try (channel) {
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(Reply.failed(reason).bytes()));
        }
    }
}
