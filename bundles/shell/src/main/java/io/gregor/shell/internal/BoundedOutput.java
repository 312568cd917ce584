package io.gregor.shell.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps what a command prints, up to a limit. Shared: any thread; a pipe prints on several. */
final class BoundedOutput extends OutputStream {
    private final int limitBytes;

    @GuardedBy("this")
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    @GuardedBy("this")
    private boolean isCut;

    BoundedOutput(int limitBytes) {
        this.limitBytes = limitBytes;
    }

    @Override
    public void write(int oneByte) {
        write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        int room = limitBytes - kept.size();
        kept.write(bytes, offset, Math.min(room, length));
        isCut |= room < length;
    }

    synchronized String text() {
        String text = kept.toString(StandardCharsets.UTF_8);
        return isCut ? text + "\noutput cut: limitBytes=" + limitBytes + ", use a filter" : text;
    }
}
