package io.gregor.itest.load;

import io.gregor.itest.RawClient;
import io.gregor.itest.load.Frames.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.network.ByteBufferSend;
import org.apache.kafka.common.network.KafkaChannel;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.NetworkSend;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * One connection of a load. It sends its requests all at once, awaits their responses in the same order, pauses, and begins
 * again. Owned by the load's thread.
 */
final class LoadConnection {
    private final List<Frame> burst;
    private final Tally tally;
    private final KafkaChannel channel;
    private final String name;
    private final Deque<Frame> awaited = new ArrayDeque<>();
    private int nextCorrelationId;
    private long sentNs;
    private long allowedWaitNs;
    private long doneNs = System.nanoTime();
    private int bursts;
    private boolean isDue;

    /** Connects, and sends nothing yet. */
    LoadConnection(Channels channels, List<Frame> burst, Tally tally) throws IOException {
        this.burst = burst;
        this.tally = tally;
        channel = channels.connect(this);
        name = channel.id();
    }

    boolean isOpen() {
        return channel.isConnected();
    }

    /** Whether the node knows who it is, and requests can be sent. */
    boolean isReady() {
        return channel.isConnected() && channel.ready();
    }

    boolean isWaiting() {
        return isDue || !awaited.isEmpty();
    }

    /** How often all its requests have been answered. */
    int bursts() {
        return bursts;
    }

    /** When its last response came, in nanoseconds of the system's clock; when it connected, if there was none. */
    long doneNs() {
        return doneNs;
    }

    /** Sends its requests as soon as the node knows who it is; none is on its way. */
    void sendBurst() throws IOException {
        isDue = !channel.ready();
        if (!isDue) {
            send(burst);
        }
    }

    /** Sends these requests; none is on its way. */
    void send(List<Frame> frames) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(
                frames.stream().mapToInt(frame -> frame.bytes().length).sum());
        int correlationId = nextCorrelationId;
        for (Frame frame : frames) {
            frame.put(out, correlationId++);
        }
        channel.setSend(new NetworkSend(name, new ByteBufferSend(out.flip())));
        awaited.addAll(frames);
        sentNs = System.nanoTime();
        allowedWaitNs = 0;
        write();
    }

    /** Goes on with what the selector has found. */
    void onReady() throws IOException {
        if (!channel.ready()) {
            introduce();
        }
        if (isDue) {
            sendBurst();
        }
        write();
        read();
    }

    /** Goes on with the handshake and with telling who it is, for the first time or again. */
    void introduce() throws IOException {
        try {
            channel.prepare();
            if (channel.ready()) {
                channel.maybeAddWriteInterestAfterReauth();
            }
        } catch (AuthenticationException refused) {
            throw new IOException(refused);
        }
    }

    /** Does nothing more, in the middle of what it is at, until {@link #goOn}. */
    void hold() {
        channel.selectionKey().interestOps(0);
    }

    boolean isHeld() {
        return channel.selectionKey().interestOps() == 0;
    }

    void goOn() {
        if (channel.selectionKey().isValid() && isHeld()) {
            channel.selectionKey().interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    private void write() throws IOException {
        if (channel.hasSend() && channel.ready() && !channel.maybeBeginClientReauthentication(System::nanoTime)) {
            channel.write();
            channel.maybeCompleteSend();
        }
    }

    private void read() throws IOException {
        while (isReady() && channel.read() > 0) {
            NetworkReceive response = channel.maybeCompleteReceive();
            if (response != null) {
                onResponse(response.payload());
            }
        }
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
        isDue = false;
        try {
            channel.close();
        } catch (IOException gone) {
            tally.failed(name + " " + gone);
        }
    }
}
