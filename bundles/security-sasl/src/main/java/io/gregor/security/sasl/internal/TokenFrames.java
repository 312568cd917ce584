package io.gregor.security.sasl.internal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a client that is not authenticated: not a byte beyond the frame under way, since that may be the last
 * one, and into memory that grows with the bytes that have arrived. Owned by the processor thread of the connection.
 */
final class TokenFrames {
    private static final int LENGTH_BYTES = Integer.BYTES;
    private static final int SMALLEST_BYTES = 512;

    private final int maxBytes;
    private ByteBuffer frame = ByteBuffer.allocate(LENGTH_BYTES);
    private int frameBytes;

    /** Of as many bytes at most. */
    TokenFrames(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * A frame with its length, from its start; null until the rest of it arrives.
     *
     * @throws SaslAuthenticationException if its length is beyond the limit
     * @throws EOFException if the client has closed the connection
     */
    @Nullable
    ByteBuffer read(ReadableByteChannel channel) throws IOException {
        if (frame.position() < LENGTH_BYTES) {
            if (!isFilled(channel)) {
                return null;
            }
            int bodyBytes = frame.getInt(0);
            if (bodyBytes < 0 || bodyBytes > maxBytes) {
                throw new SaslAuthenticationException("frame before authentication refused: sizeBytes=" + bodyBytes
                        + " limitBytes=" + maxBytes + " (sasl.server.max.receive.size)");
            }
            frameBytes = LENGTH_BYTES + bodyBytes;
        }
        while (frame.position() < frameBytes) {
            if (!frame.hasRemaining()) {
                frame = larger();
            }
            if (!isFilled(channel)) {
                return null;
            }
        }
        ByteBuffer whole = frame.flip();
        frame = ByteBuffer.allocate(LENGTH_BYTES);
        return whole;
    }

    /** How much memory the frame under way has. */
    int bufferBytes() {
        return frame.capacity();
    }

    private boolean isFilled(ReadableByteChannel channel) throws IOException {
        int count;
        do {
            count = channel.read(frame);
        } while (count > 0 && frame.hasRemaining());
        if (count < 0) {
            throw new EOFException("closed by the client before it was authenticated");
        }
        return !frame.hasRemaining();
    }

    private ByteBuffer larger() {
        int bytes = Math.min(frameBytes, Math.max(SMALLEST_BYTES, 2 * frame.capacity()));
        return ByteBuffer.allocate(bytes).put(frame.flip());
    }
}
