package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.request.Outgoing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.network.ByteBufferSend;
import org.apache.kafka.common.network.Send;
import org.junit.jupiter.api.Test;

class ResponseWriterTest {
    private final ResponseWriter writer = new ResponseWriter();
    private final OutputBuffer output = new OutputBuffer();
    private final NarrowChannel channel = new NarrowChannel();
    private final List<String> told = new ArrayList<>();

    private final class Response implements Outgoing {
        private final ByteBuffer bytes;

        Response(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
        }

        @Override
        public Kind kind() {
            return Kind.SEND;
        }

        @Override
        public Send send() {
            return new ByteBufferSend(bytes);
        }

        @Override
        public void dequeued(long nowNs) {}

        @Override
        public void completed(long nowNs) {
            told.add("completed at " + nowNs);
        }

        @Override
        public void dropped() {
            told.add("dropped");
        }
    }

    @Test
    void writesASmallResponseAtOnce() throws IOException {
        writer.begin(new Response(new byte[100]));

        assertThat(writer.write(channel, output)).isEqualTo(100);

        assertThat(channel.writes).isEqualTo(1);
        assertThat(writer.isWritten(channel)).isTrue();
        writer.finish(7);
        assertThat(told).containsExactly("completed at 7");
        assertThat(writer.isBusy()).isFalse();
    }

    @Test
    void goesOnWhereTheSocketStopped() throws IOException {
        byte[] bytes = new byte[500_000];
        new Random(1).nextBytes(bytes);
        writer.begin(new Response(bytes));
        long written = 0;
        int turns = 0;
        while (!writer.isWritten(channel)) {
            channel.roomBytes = 30_000;
            written += writer.write(channel, output);
            turns++;
        }
        assertThat(written).isEqualTo(500_000);
        assertThat(turns).isEqualTo(17);
        assertThat(channel.received.toByteArray()).isEqualTo(bytes);
    }

    @Test
    void isNotDoneWhileAnEncryptingLayerHoldsBytesBackAndMakesItSendThem() throws IOException {
        channel.holdsBack = true;
        writer.begin(new Response(new byte[200_000]));
        writer.write(channel, output);
        assertThat(channel.received.size()).isEqualTo(200_000);
        assertThat(writer.isWritten(channel)).isFalse();

        int before = channel.writes;
        writer.write(channel, output);
        assertThat(channel.writes).isEqualTo(before + 1);
        assertThat(writer.isWritten(channel)).isFalse();

        channel.holdsBack = false;
        writer.write(channel, output);
        assertThat(writer.isWritten(channel)).isTrue();
    }

    @Test
    void leavesTheTurnToOthersAfterAMegabyteHoweverFastTheClientIs() throws IOException {
        writer.begin(new Response(new byte[5 << 20]));

        assertThat(writer.write(channel, output)).isBetween(1L << 20, 2L << 20);
        assertThat(writer.isWritten(channel)).isFalse();
    }

    @Test
    void dropsWhatIsNotWritten() throws IOException {
        writer.begin(new Response(new byte[100]));
        channel.roomBytes = 50;
        writer.write(channel, output);

        writer.drop();

        assertThat(told).containsExactly("dropped");
        assertThat(writer.isBusy()).isFalse();
    }

    @Test
    void writesOneResponseAtATime() {
        writer.begin(new Response(new byte[1]));
        assertThatThrownBy(() -> writer.begin(new Response(new byte[1]))).isInstanceOf(IllegalStateException.class);
    }
}
