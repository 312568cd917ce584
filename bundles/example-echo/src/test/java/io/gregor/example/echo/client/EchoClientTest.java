package io.gregor.example.echo.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EchoClientTest {
    private static final byte[] HELLO = "hello".getBytes(UTF_8);

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    @Test
    void sendsAFlexibleHeaderAndTheBytes() throws IOException {
        answering("00000001 00 68656c6c6f").echo(HELLO);

        ByteBuffer frame = ByteBuffer.wrap(sent.toByteArray());
        assertThat(frame.getInt()).isEqualTo(frame.remaining());
        RequestHeaderData header = new RequestHeaderData(new ByteBufferAccessor(frame), (short) 2);
        assertThat(header.requestApiKey()).isEqualTo((short) 10_000);
        assertThat(header.requestApiVersion()).isZero();
        assertThat(header.correlationId()).isEqualTo(1);
        assertThat(header.clientId()).isEqualTo("echo-client");
        assertThat(UTF_8.decode(frame).toString()).isEqualTo("hello");
    }

    @Test
    void returnsWhatComesBack() throws IOException {
        EchoClient client = answering("00000001 00 68656c6c6f", "00000002 00");

        assertThat(client.echo(HELLO)).isEqualTo(HELLO);
        assertThat(client.echo(new byte[0])).isEmpty();
    }

    @Test
    void skipsTaggedFields() throws IOException {
        assertThat(answering("00000001 02 05 03 aabbcc 8101 00 68656c6c6f").echo(HELLO))
                .isEqualTo(HELLO);
    }

    @Test
    void wantsTheAnswerToItsOwnRequest() {
        assertThatThrownBy(() -> answering("00000009 00").echo(HELLO))
                .isInstanceOf(IOException.class)
                .hasMessage("answer to another request: correlationId=9 expected=1");
    }

    @Test
    void believesNoSize() {
        EchoClient client = reading("7fffffff 00000001");

        assertThatThrownBy(() -> client.echo(HELLO)).hasMessage("no answer of Kafka's protocol: sizeBytes=2147483647");
    }

    @Test
    void noticesThatTheAnswerEndsTooEarly() {
        EchoClient client = reading("00000020 00000001");

        assertThatThrownBy(() -> client.echo(HELLO)).isInstanceOf(EOFException.class);
    }

    @Test
    void sendsNoMoreThanItsLimit() {
        byte[] tooMuch = new byte[EchoClient.LIMIT_BYTES + 1];

        assertThatThrownBy(() -> reading("").echo(tooMuch)).isInstanceOf(IllegalArgumentException.class);
        assertThat(sent.size()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"10000,0,0,true", "10000,0,3,true", "10000,1,3,false", "10001,0,0,false"})
    void asksWhetherTheEchoIsServed(short key, short min, short max, boolean isServed) throws IOException {
        ApiVersionCollection apis = new ApiVersionCollection();
        apis.add(new ApiVersion().setApiKey((short) 0).setMinVersion((short) 0).setMaxVersion((short) 13));
        apis.add(new ApiVersion().setApiKey(key).setMinVersion(min).setMaxVersion(max));
        ByteBuffer body = MessageUtil.toByteBufferAccessor(new ApiVersionsResponseData().setApiKeys(apis), (short) 0)
                .buffer();
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);

        assertThat(answering("00000001" + HexFormat.of().formatHex(bytes)).isServed())
                .isEqualTo(isServed);
    }

    /** A client that gets these frames, whose lengths are put in front. */
    private EchoClient answering(String... frames) {
        StringBuilder all = new StringBuilder();
        for (String frame : frames) {
            String hex = frame.replace(" ", "");
            all.append(HexFormat.of().toHexDigits(hex.length() / 2)).append(hex);
        }
        return reading(all.toString());
    }

    private EchoClient reading(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return new EchoClient(new ByteArrayInputStream(bytes), sent, () -> {});
    }
}
