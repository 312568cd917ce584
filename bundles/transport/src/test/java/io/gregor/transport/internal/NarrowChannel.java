package io.gregor.transport.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.kafka.common.network.TransferableChannel;

/** Takes only so many bytes at a time, like a socket; or holds some back, like a layer that encrypts. Owned by the test. */
class NarrowChannel implements TransferableChannel {
    final ByteArrayOutputStream received = new ByteArrayOutputStream();
    int roomBytes = Integer.MAX_VALUE;
    int writes;
    int transfers;
    boolean holdsBack;

    @Override
    public int write(ByteBuffer source) {
        writes++;
        int taken = Math.min(source.remaining(), roomBytes);
        byte[] bytes = new byte[taken];
        source.get(bytes);
        received.writeBytes(bytes);
        roomBytes -= taken;
        return taken;
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        transfers++;
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, roomBytes));
        file.read(bytes, position);
        writes--;
        return write(bytes.flip());
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new AssertionError("never more than one buffer");
    }

    @Override
    public long write(ByteBuffer[] sources) {
        throw new AssertionError("never more than one buffer");
    }

    @Override
    public boolean hasPendingWrites() {
        return holdsBack;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
