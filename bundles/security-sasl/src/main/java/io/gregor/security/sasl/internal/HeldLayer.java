package io.gregor.security.sasl.internal;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.Principal;
import org.apache.kafka.common.network.TransportLayer;

/**
 * What Kafka's authenticator takes for the connection: it reads one whole frame that has been put here, and what it writes is
 * kept until it is sent. Owned by the processor thread of the connection, or while a step runs aside by the thread of the step.
 */
final class HeldLayer implements TransportLayer {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final TransportLayer layer;
    private ByteBuffer frame = NOTHING;
    private ByteBuffer output = NOTHING;

    HeldLayer(TransportLayer layer) {
        this.layer = layer;
    }

    /** The next to be read: a frame with its length. */
    void hold(ByteBuffer next) {
        frame = next;
    }

    /** Sends what was written, as far as the socket takes it; whether nothing is left. By the processor thread only. */
    boolean flush() throws IOException {
        if (!output.hasRemaining() && !layer.hasPendingWrites()) {
            return true;
        }
        int written;
        do {
            written = layer.write(output); // with nothing left, it sends what the layer has encrypted
        } while (written > 0 && output.hasRemaining());
        if (output.hasRemaining() || layer.hasPendingWrites()) {
            layer.addInterestOps(SelectionKey.OP_WRITE);
            return false;
        }
        output = NOTHING;
        layer.removeInterestOps(SelectionKey.OP_WRITE);
        return true;
    }

    @Override
    public int read(ByteBuffer target) {
        int count = Math.min(target.remaining(), frame.remaining());
        target.put(frame.slice(frame.position(), count));
        frame.position(frame.position() + count);
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        long count = 0;
        for (int index = offset; index < offset + length; index++) {
            count += read(targets[index]);
        }
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets) {
        return read(targets, 0, targets.length);
    }

    @Override
    public int write(ByteBuffer source) {
        int count = source.remaining();
        output = ByteBuffer.allocate(output.remaining() + count)
                .put(output)
                .put(source)
                .flip();
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        long count = 0;
        for (int index = offset; index < offset + length; index++) {
            count += write(sources[index]);
        }
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources) {
        return write(sources, 0, sources.length);
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) {
        throw new UnsupportedOperationException("no files are sent before a client is authenticated");
    }

    @Override
    public boolean hasPendingWrites() {
        return false;
    }

    @Override
    public boolean ready() {
        return true;
    }

    @Override
    public boolean finishConnect() {
        return true;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public void disconnect() {
        // ending a connection is its processor's affair
    }

    @Override
    public SocketChannel socketChannel() {
        return layer.socketChannel();
    }

    @Override
    public SelectionKey selectionKey() {
        return layer.selectionKey();
    }

    @Override
    public void handshake() {
        // it is over
    }

    @Override
    public Principal peerPrincipal() throws IOException {
        return layer.peerPrincipal();
    }

    @Override
    public void addInterestOps(int ops) {
        // whatever is written is taken, so there is nothing to wait for
    }

    @Override
    public void removeInterestOps(int ops) {
        // as above
    }

    @Override
    public boolean isMute() {
        return false;
    }

    @Override
    public boolean hasBytesBuffered() {
        return frame.hasRemaining();
    }

    @Override
    public boolean isOpen() {
        Socket socket = layer.socketChannel().socket();
        return !socket.isClosed();
    }

    @Override
    public void close() {
        // ending a connection is its processor's affair
    }
}
