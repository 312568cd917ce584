package io.gregor.transport.internal;

import io.gregor.internal.request.Outgoing;
import java.io.IOException;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransportLayer;
import org.jspecify.annotations.Nullable;

/** The response of one connection that is being written; there is one at a time. Owned by its processor thread. */
final class ResponseWriter {
    /** What a connection may write at a stretch while others wait. */
    private static final long FAIR_BYTES = 1 << 20;

    private @Nullable Outgoing outgoing;
    private @Nullable Send send;

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

    /** Writes as much as the socket takes, and returns how many bytes that was. */
    long write(TransportLayer layer) throws IOException {
        Send bytes = send;
        if (bytes == null) {
            return 0;
        }
        long total = 0;
        long written;
        do {
            written = bytes.writeTo(layer);
            total += written;
        } while (written > 0 && !bytes.completed() && total < FAIR_BYTES);
        return total;
    }

    /** Whether the last byte is with the operating system. */
    boolean isWritten(TransportLayer layer) {
        return send != null && send.completed() && !layer.hasPendingWrites();
    }

    /** Ends a response that is written. */
    void finish(long nowNs) {
        Outgoing done = outgoing;
        outgoing = null;
        send = null;
        if (done != null) {
            done.completed(nowNs);
        }
    }

    /** Gives up a response that is not written, if there is one. */
    void drop() {
        Outgoing undone = outgoing;
        outgoing = null;
        send = null;
        if (undone != null) {
            undone.dropped();
        }
    }
}
