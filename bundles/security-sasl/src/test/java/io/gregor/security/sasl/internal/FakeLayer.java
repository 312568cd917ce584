package io.gregor.security.sasl.internal;

import io.gregor.testing.Fake;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.kafka.common.network.TransportLayer;

/** A channel layer whose bytes come from a test, and which takes as many as the test says. Owned by the test thread. */
final class FakeLayer implements AutoCloseable {
    private final SocketChannel socket = open();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private ByteBuffer arrived = ByteBuffer.allocate(0);
    private boolean isAtEnd;
    private int room = Integer.MAX_VALUE;
    private int interestOps = SelectionKey.OP_READ;

    private static SocketChannel open() {
        try {
            return SocketChannel.open();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    TransportLayer layer() {
        return Fake.of(TransportLayer.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "read" -> read((ByteBuffer) arguments[0]);
            case "write" -> write((ByteBuffer) arguments[0]);
            case "hasPendingWrites" -> false;
            case "socketChannel" -> socket;
            case "addInterestOps" -> {
                interestOps |= (int) arguments[0];
                yield null;
            }
            case "removeInterestOps" -> {
                interestOps &= ~(int) arguments[0];
                yield null;
            }
            default -> throw Fake.unexpected(method.getName());
        });
    }

    private int read(ByteBuffer target) {
        if (!arrived.hasRemaining() && isAtEnd) {
            return -1;
        }
        int count = Math.min(target.remaining(), arrived.remaining());
        target.put(arrived.slice(arrived.position(), count));
        arrived.position(arrived.position() + count);
        return count;
    }

    private int write(ByteBuffer source) {
        int count = Math.min(room, source.remaining());
        for (int written = 0; written < count; written++) {
            sent.write(source.get());
        }
        room -= count;
        return count;
    }

    /** Bytes arrive after those that are there. */
    void arrive(byte... bytes) {
        arrived = ByteBuffer.allocate(arrived.remaining() + bytes.length)
                .put(arrived)
                .put(bytes)
                .flip();
    }

    /** A frame arrives: its length and these bytes. */
    void arriveFrame(byte... body) {
        arrive(ByteBuffer.allocate(4 + body.length)
                .putInt(body.length)
                .put(body)
                .array());
    }

    /** The client has closed. */
    void end() {
        isAtEnd = true;
    }

    /** The socket takes so many bytes more. */
    void room(int bytes) {
        room = bytes;
    }

    int arrivedBytes() {
        return arrived.remaining();
    }

    boolean isInterestedInWriting() {
        return (interestOps & SelectionKey.OP_WRITE) != 0;
    }

    /** What was sent since the last call. */
    ByteBuffer takeSent() {
        ByteBuffer taken = ByteBuffer.wrap(sent.toByteArray());
        sent.reset();
        return taken;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
