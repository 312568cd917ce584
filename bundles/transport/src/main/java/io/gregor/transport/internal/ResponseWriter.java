package io.gregor.transport.internal;

import io.gregor.internal.request.Outgoing;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransferableChannel;
import org.jspecify.annotations.Nullable;

/** The response of one connection that is being written; there is one at a time. Owned by its processor thread. */
final class ResponseWriter {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private @Nullable Outgoing outgoing;
    private @Nullable Send send;
    private @Nullable ByteBuffer unsent;
    private boolean isCut;

    /** Whether a response is not written completely. */
    boolean isBusy() {
        return send != null;
    }

    /** Takes a response whose turn it is. */
    void begin(Outgoing response) {
        if (send != null) {
            throw new IllegalStateException("a response is being written already: " + outgoing);
        }
        outgoing = response;
        send = response.send();
    }

    /** Writes as much as the channel takes, and returns how many bytes that was. */
    long write(TransferableChannel channel, OutputBuffer output) throws IOException {
        Send source = send;
        if (source == null) {
            return 0;
        }
        if (channel.hasPendingWrites()) {
            channel.write(NOTHING); // an encrypting channel sends what it holds back
        }
        long total = 0;
        ByteBuffer first = unsent;
        if (first != null) {
            total += channel.write(first);
            if (first.hasRemaining()) {
                return total;
            }
            unsent = null;
        }
        if (source.completed()) {
            return total;
        }
        output.begin(channel, isCut);
        long written;
        do {
            written = source.writeTo(output);
        } while (written > 0 && !source.completed());
        unsent = output.end();
        isCut = output.isCut();
        return total + output.sentBytes();
    }

    /** Whether the last byte is with the operating system. */
    boolean isWritten(TransferableChannel channel) {
        return send != null && send.completed() && unsent == null && !channel.hasPendingWrites();
    }

    /** Ends a response that is written, and returns its size in bytes. */
    long finish(long nowNs) {
        Outgoing done = outgoing;
        Send written = send;
        forget();
        if (done != null) {
            done.completed(nowNs);
        }
        return written == null ? 0 : written.size();
    }

    /** Gives up a response that is not written, if there is one. */
    void drop() {
        Outgoing undone = outgoing;
        forget();
        if (undone != null) {
            undone.dropped();
        }
    }

    private void forget() {
        outgoing = null;
        send = null;
        unsent = null;
        isCut = false;
    }
}
