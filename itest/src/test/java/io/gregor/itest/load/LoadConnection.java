package io.gregor.itest.load;

import io.gregor.itest.RawClient;
import io.gregor.itest.load.Frames.Frame;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * One connection of a load. It sends its requests all at once, awaits their responses in the same order, pauses, and begins
 * again. Owned by the load's thread.
 */
final class LoadConnection {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final List<Frame> burst;
    private final Tally tally;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final String name;
    private final Deque<Frame> awaited = new ArrayDeque<>();
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES);
    private ByteBuffer out = ByteBuffer.allocate(0);
    private int nextCorrelationId;
    private long sentNs;
    private long allowedWaitNs;
    private long doneNs = System.nanoTime();
    private int bursts;

    /** Connects, and sends nothing yet. */
    LoadConnection(int port, List<Frame> burst, Tally tally, Selector selector) throws IOException {
        this.burst = burst;
        this.tally = tally;
        channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        name = channel.getLocalAddress() + "->" + port;
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    boolean isWaiting() {
        return !awaited.isEmpty();
    }

    /** How often all its requests have been answered. */
    int bursts() {
        return bursts;
    }

    /** When its last response came, in nanoseconds of the system's clock; when it connected, if there was none. */
    long doneNs() {
        return doneNs;
    }

    /** Sends its requests; none is on its way. */
    void sendBurst() throws IOException {
        send(burst);
    }

    /** Sends these requests; none is on its way. */
    void send(List<Frame> frames) throws IOException {
        out = ByteBuffer.allocate(
                frames.stream().mapToInt(frame -> frame.bytes().length).sum());
        int correlationId = nextCorrelationId;
        for (Frame frame : frames) {
            frame.put(out, correlationId++);
        }
        out.flip();
        awaited.addAll(frames);
        sentNs = System.nanoTime();
        allowedWaitNs = 0;
        write();
    }

    /** Goes on with what the selector has found. */
    void onReady() throws IOException {
        if (key.isValid() && key.isWritable()) {
            write();
        }
        if (key.isValid() && key.isReadable()) {
            read();
        }
    }

    private void write() throws IOException {
        channel.write(out);
        key.interestOps(out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    private void read() throws IOException {
        int count = channel.read(in);
        if (count < 0) {
            fault("closed by the node");
            return;
        }
        in.flip();
        while (in.remaining() >= 4 && in.remaining() >= 4 + in.getInt(in.position())) {
            int length = in.getInt();
            onResponse(in.slice(in.position(), length));
            in.position(in.position() + length);
        }
        in.compact();
    }

    private void onResponse(ByteBuffer response) {
        Frame asked = awaited.poll();
        if (asked == null) {
            tally.failed(name + " got a response that it did not ask for");
            return;
        }
        int correlationId = nextCorrelationId++;
        allowedWaitNs += TimeUnit.MILLISECONDS.toNanos(asked.waitMs());
        doneNs = System.nanoTime();
        try {
            String errors = RawClient.errors(asked.key(), asked.version(), correlationId, response);
            if (errors.isEmpty()) {
                tally.answered(asked.key() == ApiKeys.PRODUCE, Math.max(0, doneNs - sentNs - allowedWaitNs));
            } else {
                tally.failed(name + " " + asked.key() + " " + errors);
            }
        } catch (RuntimeException notItsOwn) {
            tally.failed(name + " " + asked.key() + " " + notItsOwn.getMessage());
        }
        bursts += awaited.isEmpty() ? 1 : 0;
    }

    /** The node has closed it, or it cannot be used any more: counts that, and what has no answer. */
    void fault(String why) {
        tally.dropped(name + " " + why);
        if (isWaiting()) {
            tally.unanswered(awaited.size(), name + " has no answer to " + awaited.size() + " requests");
        }
        close();
    }

    void close() {
        awaited.clear();
        try {
            channel.close();
        } catch (IOException gone) {
            tally.failed(name + " " + gone);
        }
    }
}
