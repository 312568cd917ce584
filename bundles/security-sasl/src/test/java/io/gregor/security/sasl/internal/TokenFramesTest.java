package io.gregor.security.sasl.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenFramesTest {
    private static final int LIMIT = 524_288;

    private final FakeLayer client = new FakeLayer();
    private final TokenFrames frames = new TokenFrames(LIMIT);

    @AfterEach
    void close() throws IOException {
        client.close();
    }

    @Test
    void readsAFrameWithItsLength() throws IOException {
        client.arriveFrame((byte) 1, (byte) 2);
        ByteBuffer frame = Objects.requireNonNull(frames.read(client.layer()));
        assertThat(frame).isEqualTo(ByteBuffer.wrap(new byte[] {0, 0, 0, 2, 1, 2}));
    }

    @Test
    void leavesWhatFollowsTheFrame() throws IOException {
        client.arriveFrame((byte) 1);
        client.arriveFrame((byte) 2, (byte) 3);
        assertThat(frames.read(client.layer())).isNotNull();
        assertThat(client.arrivedBytes()).isEqualTo(6);
    }

    @Test
    void waitsForEachByteOfAFrame() throws IOException {
        byte[] bytes = {0, 0, 0, 3, 7, 8, 9};
        for (int index = 0; index < bytes.length - 1; index++) {
            client.arrive(bytes[index]);
            assertThat(frames.read(client.layer())).isNull();
        }
        client.arrive(bytes[bytes.length - 1]);
        assertThat(frames.read(client.layer())).isEqualTo(ByteBuffer.wrap(bytes));
    }

    @Test
    void takesAnEmptyFrame() throws IOException {
        client.arriveFrame();
        assertThat(frames.read(client.layer())).isEqualTo(ByteBuffer.wrap(new byte[4]));
    }

    @Test
    void memoryGrowsWithWhatHasArrived() throws IOException {
        client.arrive(ByteBuffer.allocate(4).putInt(LIMIT).array());
        client.arrive(new byte[100]);
        assertThat(frames.read(client.layer())).isNull();
        assertThat(frames.bufferBytes()).isLessThanOrEqualTo(512);
        client.arrive(new byte[LIMIT - 100]);
        assertThat(Objects.requireNonNull(frames.read(client.layer())).remaining())
                .isEqualTo(4 + LIMIT);
        assertThat(frames.bufferBytes()).isEqualTo(4);
    }

    @Test
    void refusesALengthBeyondTheLimit() {
        client.arrive(ByteBuffer.allocate(4).putInt(LIMIT + 1).array());
        assertThatThrownBy(() -> frames.read(client.layer()))
                .isInstanceOf(SaslAuthenticationException.class)
                .hasMessage("frame before authentication refused: sizeBytes=524289 limitBytes=524288"
                        + " (sasl.server.max.receive.size)");
    }

    @Test
    void refusesANegativeLength() {
        client.arrive(ByteBuffer.allocate(4).putInt(-1).array());
        assertThatThrownBy(() -> frames.read(client.layer())).isInstanceOf(SaslAuthenticationException.class);
    }

    @Test
    void tellsThatTheClientHasClosed() {
        client.arrive((byte) 0);
        client.end();
        assertThatThrownBy(() -> frames.read(client.layer())).isInstanceOf(EOFException.class);
    }
}
