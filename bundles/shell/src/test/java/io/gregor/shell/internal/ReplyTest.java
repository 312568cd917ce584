package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ReplyTest {
    @Test
    void endsTheOutputWithANulAndTheStatus() {
        assertThat(text(Reply.done("zwölf"))).isEqualTo("zwölf\n\0" + "0");
        assertThat(text(Reply.failed("no\n"))).isEqualTo("no\n\0" + "1");
        assertThat(text(Reply.done(""))).isEqualTo("\0" + "0");
    }

    @Test
    void letsNoOutputLookLikeItsEnd() {
        assertThat(text(Reply.done("a\0b"))).isEqualTo("a b\n\0" + "0");
    }

    @Test
    void saysThatOutputWasCut() {
        BoundedOutput output = new BoundedOutput(4);

        output.write("abcdef".getBytes(StandardCharsets.UTF_8), 0, 6);
        output.write('g');

        assertThat(output.text()).isEqualTo("abcd\noutput cut: limitBytes=4, use a filter");
    }

    private static String text(Reply reply) {
        return new String(reply.bytes(), StandardCharsets.UTF_8);
    }
}
