package io.gregor.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ShellReplyTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void outputAndStatusAreToldApartHoweverTheBytesArrive() throws IOException {
        for (int chunk = 1; chunk <= 12; chunk++) {
            printed.reset();

            int status = copy("zwölf\n\00012", chunk);

            assertThat(status).isEqualTo(12);
            assertThat(printed.toString(UTF_8)).isEqualTo("zwölf\n");
        }
    }

    @Test
    void aReplyWithoutStatusIsAFault() {
        assertThatThrownBy(() -> copy("half an ans", 4)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> copy("all of it\0", 4)).isInstanceOf(IOException.class);
    }

    private int copy(String reply, int chunk) throws IOException {
        byte[] bytes = reply.getBytes(UTF_8);
        InputStream inChunks = new InputStream() {
            private final ByteArrayInputStream in = new ByteArrayInputStream(bytes);

            @Override
            public int read() {
                return in.read();
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                return in.read(target, offset, Math.min(chunk, length));
            }
        };
        return new ShellReply(inChunks).copyTo(new PrintStream(printed, true, UTF_8));
    }
}
