package io.gregor.itest.connections;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a stranger sends closes the stranger's connection as Kafka does, and troubles nobody else. */
class BadFramesCloseOnlyTheirConnectionIT {
    private static final int LIMIT_BYTES = 104_857_600;

    @TempDir
    private static Path home;

    private static GregorProcess node;

    @BeforeAll
    static void startNode() {
        node = GregorProcess.start(home);
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    static Stream<Arguments> closed() {
        return Stream.of(
                Arguments.of("length 0", length(0)),
                Arguments.of("length -1", length(-1)),
                Arguments.of("the least length", length(Integer.MIN_VALUE)),
                Arguments.of("a frame too short for a header", frame(new byte[] {0, 18, 0})),
                Arguments.of("one byte above the limit", length(LIMIT_BYTES + 1)),
                Arguments.of("the greatest length", length(Integer.MAX_VALUE)),
                Arguments.of("0xff only", filled(64, 0xff)),
                Arguments.of("text", "hello kafka\r\n\r\n".repeat(4).getBytes(US_ASCII)),
                Arguments.of("HTTP", "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII)),
                Arguments.of("SSH", "SSH-2.0-OpenSSH_9.6\r\n".getBytes(US_ASCII)),
                Arguments.of("TLS", join(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3}, new byte[506])),
                Arguments.of("API key 999", frame(header(999, 0))),
                Arguments.of("API key -1", frame(header(-1, 0))),
                Arguments.of("an API that was removed", frame(join(header(4, 0), new byte[40]))),
                Arguments.of("a controller's API", frame(join(header(52, 0), new byte[41]))),
                Arguments.of("a version that is too new", frame(join(header(3, 14), new byte[21]))),
                Arguments.of("a version that is too old", frame(join(header(1, 3), new byte[40]))),
                Arguments.of("a version -1", frame(join(header(3, -1), new byte[20]))),
                Arguments.of("a body that is cut off", frame(join(header(3, 1), length(5)))),
                Arguments.of("an array of two milliards", frame(join(header(3, 1), length(Integer.MAX_VALUE)))),
                Arguments.of(
                        "a client id that is cut off", frame(new byte[] {0, 3, 0, 1, 0, 0, 0, 1, 0, 50, 'a', 'b'})));
    }

    static Stream<Arguments> waitedFor() {
        return Stream.of(
                Arguments.of("the limit announced, no body yet", length(LIMIT_BYTES)),
                Arguments.of("16 MB announced", filled(64, 1)),
                Arguments.of("half of a length", new byte[2]),
                Arguments.of("a tenth of a frame", join(length(100), new byte[10])));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("closed")
    void closesWithoutAnAnswer(String name, byte[] bytes) throws IOException {
        try (RawClient bystander = RawClient.connect(node.port());
                RawClient stranger = RawClient.connect(node.port())) {
            call(bystander, 1);

            stranger.sendBytes(bytes);

            assertThat(stranger.isClosedByPeer()).isTrue();
            call(bystander, 2);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("waitedFor")
    void waitsForTheRestWithoutTakingTheMemory(String name, byte[] bytes) throws IOException {
        RawClient[] strangers = new RawClient[50];
        try (RawClient bystander = RawClient.connect(node.port())) {
            for (int index = 0; index < strangers.length; index++) {
                strangers[index] = RawClient.connect(node.port());
                strangers[index].sendBytes(bytes); // fifty times the limit is ten times the heap
            }
            call(bystander, 1);
            assertThat(node.shell("connection:list").output())
                    .contains("-127.0.0.1:" + strangers[49].localPort() + "-");
        } finally {
            for (RawClient stranger : strangers) {
                if (stranger != null) {
                    stranger.close();
                }
            }
        }
    }

    @Test
    void answersWhatCameBeforeTheGarbage() throws IOException {
        try (RawClient client = RawClient.connect(node.port())) {
            byte[] request = RawClient.bytes(new ApiVersionsRequest.Builder().build((short) 3), 5);
            client.sendBytes(join(frame(request), filled(64, 0xff)));

            assertThat(client.readFrame().getInt()).isEqualTo(5);
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(shorts = {Short.MIN_VALUE, -1, 63, 64, 99, Short.MAX_VALUE})
    void answersApiVersionsOfAnyVersionAndGoesOn(short version) throws IOException {
        try (RawClient client = RawClient.connect(node.port())) {
            byte[] tags = new byte[version < 3 ? 0 : 1]; // of the flexible header that it has since version 3
            client.sendBytes(frame(join(header(ApiKeys.API_VERSIONS.id, version), tags)));

            ByteBuffer answer = client.readFrame();
            answer.getInt(); // the correlation id
            assertThat(answer.getShort()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
            call(client, 2);
        }
    }

    @Test
    void namesAForeignProtocolInTheLogWithoutAStackTrace() throws IOException {
        try (RawClient stranger = RawClient.connect(node.port())) {
            stranger.sendBytes("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
            assertThat(stranger.isClosedByPeer()).isTrue();
        }
        await().untilAsserted(() -> assertThat(node.logText()).contains("not the Kafka protocol"));
        assertThat(node.logText()).doesNotContain("\tat ");
    }

    private static void call(RawClient client, int correlationId) throws IOException {
        assertThat(client.call(new ApiVersionsRequest.Builder().build((short) 3), correlationId)
                        .apiKey())
                .isEqualTo(ApiKeys.API_VERSIONS);
    }

    private static byte[] header(int apiKey, int apiVersion) {
        return ByteBuffer.allocate(11)
                .putShort((short) apiKey)
                .putShort((short) apiVersion)
                .putInt(1)
                .putShort((short) 1)
                .put((byte) 'x')
                .array();
    }

    private static byte[] length(int length) {
        return ByteBuffer.allocate(4).putInt(length).array();
    }

    private static byte[] frame(byte[] body) {
        return join(length(body.length), body);
    }

    private static byte[] filled(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}
