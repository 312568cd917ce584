package io.gregor.example.echo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeRequest;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class EchoHandlerTest {
    @Test
    void answersWithTheBytesOfTheBody() {
        FakeRequest request = FakeRequest.ofBytes(EchoHandler.API_KEY, 0, ByteBuffer.wrap(new byte[] {1, 2, 3}));

        new EchoHandler().handle(request);

        assertThat(request.answer()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    @Test
    void answersNothingWithNothing() {
        FakeRequest request = FakeRequest.ofBytes(EchoHandler.API_KEY, 0, ByteBuffer.allocate(0));

        new EchoHandler().handle(request);

        assertThat(request.answer()).isEqualTo(ByteBuffer.allocate(0));
    }
}
