package io.gregor.shell.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a command prints, on its way to the client: sent when it is flushed, up to a limit, and ended with a NUL and the
 * status. A client that has gone stops no command. Shared: any thread; a pipe prints on several, one of them sends.
 */
final class ReplyOutput extends OutputStream {
    private final WritableByteChannel client;
    private final int limitBytes;
    private final AtomicBoolean isSending = new AtomicBoolean();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();

    @GuardedBy("lock")
    private int room;

    @GuardedBy("lock")
    private boolean isCut;

    @GuardedBy("lock")
    private boolean isEnded;

    @GuardedBy("lock")
    private byte last = '\n';

    private volatile boolean isGone;

    ReplyOutput(WritableByteChannel client, int limitBytes) {
        this.client = client;
        this.limitBytes = limitBytes;
        this.room = limitBytes;
    }

    @Override
    public void write(int oneByte) {
        write(new byte[] {(byte) oneByte}, 0, 1);
    }

    /** A NUL becomes a space, so that no output looks like its end. */
    @Override
    public void write(byte[] bytes, int offset, int length) {
        synchronized (lock) {
            int kept = isEnded ? 0 : Math.min(room, length);
            isCut |= kept < length;
            room -= kept;
            for (int i = offset; i < offset + kept; i++) {
                last = bytes[i] == 0 ? (byte) ' ' : bytes[i];
                unsent.write(last);
            }
        }
    }

    /** Sends what is there; a second thread leaves it to the first. */
    @Override
    public void flush() {
        if (isSending.compareAndSet(false, true)) {
            try {
                for (byte[] bytes = take(); bytes.length > 0; bytes = take()) {
                    send(bytes);
                }
            } finally {
                isSending.set(false);
            }
        }
    }

    private byte[] take() {
        synchronized (lock) {
            byte[] bytes = unsent.toByteArray();
            unsent.reset();
            return bytes;
        }
    }

    /** Puts the interruption of a late command off while it sends: a channel that is written interrupted closes itself. */
    private void send(byte[] bytes) {
        boolean isLate = Thread.interrupted();
        try {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (!isGone && rest.hasRemaining()) {
                client.write(rest);
            }
        } catch (IOException gone) {
            isGone = true;
        } finally {
            if (isLate) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sends the rest and the status; what is printed later goes nowhere. */
    void end(int status) {
        synchronized (lock) {
            String cut = isCut ? "\noutput cut: limitBytes=" + limitBytes + ", use a filter" : "";
            String end = cut.isEmpty() && last == '\n' ? "" : "\n";
            isEnded = true;
            unsent.writeBytes((cut + end + '\0' + status).getBytes(StandardCharsets.UTF_8));
        }
        flush();
    }
}
