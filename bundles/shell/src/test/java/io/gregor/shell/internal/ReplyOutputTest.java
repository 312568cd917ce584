package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ReplyOutputTest {
    /** What has reached the client; like a socket, it ends when it is written by an interrupted thread. */
    private static final class Client implements WritableByteChannel {
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private boolean isOpen = true;

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (!isOpen || Thread.currentThread().isInterrupted()) {
                throw new ClosedChannelException();
            }
            byte[] taken = new byte[bytes.remaining()];
            bytes.get(taken);
            received.writeBytes(taken);
            return taken.length;
        }

        @Override
        public boolean isOpen() {
            return isOpen;
        }

        @Override
        public void close() {
            isOpen = false;
        }

        String text() {
            return received.toString(StandardCharsets.UTF_8);
        }
    }

    private final Client client = new Client();
    private final ReplyOutput output = new ReplyOutput(client, 8);

    @Test
    void endsTheOutputWithANulAndTheStatus() {
        print("zwölf");
        output.end(0);

        assertThat(client.text()).isEqualTo("zwölf\n\0" + "0");
    }

    @Test
    void addsNoLineToNoOutput() {
        output.end(1);

        assertThat(client.text()).isEqualTo("\0" + "1");
    }

    @Test
    void sendsWhatIsThereAtEachFlush() {
        print("12 %\n");
        assertThat(client.text()).isEmpty();

        output.flush();

        assertThat(client.text()).isEqualTo("12 %\n");
    }

    @Test
    void letsNoOutputLookLikeItsEnd() {
        print("a\0b");
        output.end(0);

        assertThat(client.text()).isEqualTo("a b\n\0" + "0");
    }

    @Test
    void saysThatOutputWasCut() {
        print("abcdefghi");
        output.end(0);

        assertThat(client.text()).isEqualTo("abcdefgh\noutput cut: limitBytes=8, use a filter\n\0" + "0");
    }

    @Test
    void stillTellsWhatBecameOfAnInterruptedCommand() {
        Thread.currentThread().interrupt();
        output.end(1);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(client.text()).isEqualTo("\0" + "1");
    }

    @Test
    void bearsAClientThatHasGone() {
        client.close();
        print("a");
        output.flush();
        output.end(0);

        assertThat(client.text()).isEmpty();
    }

    private void print(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.write(bytes, 0, bytes.length);
    }
}
