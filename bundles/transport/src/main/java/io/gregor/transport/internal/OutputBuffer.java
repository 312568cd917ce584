package io.gregor.transport.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.kafka.common.network.TransferableChannel;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the pieces of a response, so that a small one is one write, with the file records in it. What does not fit goes
 * out in writes of the buffer's size, and large file records by zero copy. Owned by the processor thread; one response of
 * one connection at a time, between {@link #begin} and {@link #end}.
 */
final class OutputBuffer implements TransferableChannel {
    private static final int CAPACITY_BYTES = 64 * 1024;

    /** What a connection may send at a stretch while others wait. */
    private static final int FAIR_BYTES = 1 << 20;

    /** Up to here it is cheaper to read file records into the buffer than to send them with two calls of their own. */
    private static final int SMALL_TRANSFER_BYTES = 32 * 1024;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(CAPACITY_BYTES);
    private @Nullable TransferableChannel target;
    private boolean isStopped;
    private boolean isCut;
    private long sentBytes;

    /**
     * Starts with a response that goes to this channel, or goes on with it.
     *
     * @param isCut whether the channel took only a part of the last transfer
     */
    void begin(TransferableChannel channel, boolean isCut) {
        target = channel;
        isStopped = false;
        this.isCut = isCut;
        sentBytes = 0;
        buffer.clear();
    }

    /** Sends what is gathered, and returns a copy of what the channel did not take, null if it took everything. */
    @Nullable
    ByteBuffer end() throws IOException {
        if (!isStopped && buffer.position() > 0) {
            drain();
        }
        target = null;
        if (buffer.position() == 0) {
            return null;
        }
        buffer.flip();
        return ByteBuffer.allocate(buffer.remaining()).put(buffer).flip();
    }

    /**
     * Whether the channel took only a part of the last transfer. It may have read more from the file and hold that back, as a
     * layer that encrypts does: it is to be asked again to transfer from where it stopped, before it gets anything else.
     */
    boolean isCut() {
        return isCut;
    }

    /** How many bytes the channel took since {@link #begin}. */
    long sentBytes() {
        return sentBytes;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int before = source.remaining();
        while (source.hasRemaining() && !isStopped && (buffer.hasRemaining() || drain())) {
            int end = source.limit();
            source.limit(source.position() + Math.min(source.remaining(), buffer.remaining()));
            buffer.put(source);
            source.limit(end);
        }
        return before - source.remaining();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long written = 0;
        for (int index = offset; index < offset + length; index++) {
            written += write(sources[index]);
            if (sources[index].hasRemaining()) {
                break;
            }
        }
        return written;
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        if (isStopped || (count > buffer.remaining() && buffer.position() > 0 && !drain())) {
            return 0;
        }
        if (count <= SMALL_TRANSFER_BYTES && !isCut) {
            buffer.limit(buffer.position() + (int) count);
            int read = file.read(buffer, position);
            buffer.limit(buffer.capacity());
            return Math.max(read, 0);
        }
        if (buffer.position() > 0 && !drain()) {
            return 0;
        }
        long most = Math.min(count, FAIR_BYTES - sentBytes);
        long transferred = channel().transferFrom(file, position, most);
        sentBytes += transferred;
        isCut = transferred < most;
        isStopped = isCut || sentBytes >= FAIR_BYTES;
        return transferred;
    }

    /** None that concern the source of a response: what is gathered or held back below is the affair of its writer. */
    @Override
    public boolean hasPendingWrites() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return channel().isOpen();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("a response does not close its connection");
    }

    /** Sends what is gathered; whether more may be sent: the channel took it all, and others need not wait too long. */
    private boolean drain() throws IOException {
        buffer.flip();
        sentBytes += channel().write(buffer);
        isStopped = buffer.hasRemaining() || sentBytes >= FAIR_BYTES;
        buffer.compact();
        return !isStopped;
    }

    private TransferableChannel channel() {
        TransferableChannel now = target;
        if (now == null) {
            throw new IllegalStateException("no response is being written");
        }
        return now;
    }
}
