package io.gregor.dispatch.internal;

import java.nio.ByteBuffer;
import org.apache.kafka.common.network.ByteBufferSend;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.requests.ResponseHeader;

/** Immutable. Puts length and response header before a body that is serialized already. */
final class KeptAnswer {
    /** Up to here one copied buffer costs less than a gathering write of two. */
    private static final int COPY_LIMIT_BYTES = 16 * 1024;

    private KeptAnswer() {}

    /** The bytes to send; the body's own position is not moved. */
    static Send send(ResponseHeader header, ByteBuffer body) {
        int bodyBytes = body.remaining();
        boolean isCopied = bodyBytes <= COPY_LIMIT_BYTES;
        int headerBytes = headerBytes(header);
        ByteBuffer first = ByteBuffer.allocate(Integer.BYTES + headerBytes + (isCopied ? bodyBytes : 0));
        first.putInt(headerBytes + bodyBytes);
        putHeader(first, header);
        if (!isCopied) {
            return new ByteBufferSend(first.flip(), body.duplicate());
        }
        first.put(first.position(), body, body.position(), bodyBytes).position(0);
        return new ByteBufferSend(first);
    }

    /** Header and body in one buffer, as they go into an envelope. */
    static ByteBuffer payload(ResponseHeader header, ByteBuffer body) {
        ByteBuffer payload = ByteBuffer.allocate(headerBytes(header) + body.remaining());
        putHeader(payload, header);
        return payload.put(body.duplicate()).flip();
    }

    private static int headerBytes(ResponseHeader header) {
        return header.headerVersion() == 0 ? Integer.BYTES : Integer.BYTES + 1;
    }

    /** Correlation id, and an empty list of tagged fields in the flexible header: all that response headers have. */
    private static void putHeader(ByteBuffer to, ResponseHeader header) {
        to.putInt(header.correlationId());
        if (header.headerVersion() != 0) {
            to.put((byte) 0);
        }
    }
}
