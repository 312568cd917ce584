package io.gregor.security.sasl.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldLayerTest {
    private final FakeLayer client = new FakeLayer();
    private final HeldLayer held = new HeldLayer(client.layer());

    @AfterEach
    void close() throws IOException {
        client.close();
    }

    @Test
    void hasNothingToReadWithoutAFrame() {
        assertThat(held.read(ByteBuffer.allocate(4))).isZero();
        assertThat(held.hasBytesBuffered()).isFalse();
    }

    @Test
    void isReadInPieces() {
        held.hold(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        ByteBuffer first = ByteBuffer.allocate(2);
        ByteBuffer second = ByteBuffer.allocate(2);
        assertThat(held.read(new ByteBuffer[] {first, second})).isEqualTo(3);
        assertThat(second.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {3}));
    }

    @Test
    void keepsWhatIsWrittenInItsOrder() throws IOException {
        held.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {2, 3})});
        held.write(ByteBuffer.wrap(new byte[] {4}));
        assertThat(client.takeSent().remaining()).isZero();
        assertThat(held.flush()).isTrue();
        assertThat(client.takeSent()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
    }

    @Test
    void waitsForRoomInTheSocket() throws IOException {
        held.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        client.room(2);
        assertThat(held.flush()).isFalse();
        assertThat(client.isInterestedInWriting()).isTrue();
        client.room(10);
        assertThat(held.flush()).isTrue();
        assertThat(client.isInterestedInWriting()).isFalse();
        assertThat(client.takeSent()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }
}
