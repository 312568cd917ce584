package io.gregor.itest.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.kafka.common.security.auth.SecurityProtocol.PLAINTEXT;
import static org.apache.kafka.common.security.auth.SecurityProtocol.SASL_PLAINTEXT;
import static org.apache.kafka.common.security.auth.SecurityProtocol.SASL_SSL;
import static org.apache.kafka.common.security.auth.SecurityProtocol.SSL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.NodeJmx;
import io.gregor.itest.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.SaslAuthenticateRequest;
import org.apache.kafka.common.requests.SaslHandshakeRequest;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who does not get as far as being authenticated is told so and closed as by Kafka, and troubles nobody else. */
class HostileClientsIT {
    private static final byte[] HTTP = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII);
    private static final byte TLS_ALERT = 0x15;

    @TempDir
    private static Path home;

    private static SecuredNode node;

    @BeforeAll
    static void startNode() {
        node = SecuredNode.start(home);
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    static Stream<Arguments> notSasl() {
        return Stream.of(
                Arguments.of("0xff only", filled(64)),
                Arguments.of(
                        "one byte above the limit",
                        ByteBuffer.allocate(4).putInt(524_289).array()),
                Arguments.of("length -1", ByteBuffer.allocate(4).putInt(-1).array()),
                Arguments.of("HTTP", HTTP),
                Arguments.of("TLS", clientHello()),
                Arguments.of("a frame of zeros", frame(new byte[100])),
                Arguments.of(
                        "Metadata before authentication",
                        frame(RawClient.bytes(
                                MetadataRequest.Builder.allTopics().build((short) 12), 1))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("notSasl")
    void closesWhatIsNoSasl(String name, byte[] bytes) throws IOException {
        try (RawClient client = RawClient.connect(node.port(SASL_PLAINTEXT))) {
            client.sendBytes(bytes);
            assertThat(client.isClosedByPeer()).isTrue();
        }
        assertLogIsQuiet();
    }

    static Stream<Arguments> notTls() {
        return Stream.of(
                Arguments.of("plaintext ApiVersions", frame(apiVersions(1))),
                Arguments.of("HTTP", HTTP),
                Arguments.of("a protocol that is too old, and more bytes", join(oldClientHello(), new byte[2_000])));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("notTls")
    void answersWhatIsNoTlsWithAnAlertThatArrives(String name, byte[] bytes) throws IOException {
        for (int port : List.of(node.port(SSL), node.port(SASL_SSL))) {
            try (RawClient client = RawClient.connect(port)) {
                client.sendBytes(bytes);
                byte[] alert = client.readUntilClosed();
                assertThat(alert).isNotEmpty();
                assertThat(alert[0]).isEqualTo(TLS_ALERT);
            }
        }
        assertLogIsQuiet();
    }

    @Test
    void answersApiVersionsBeforeAuthenticationAsAfterwards() throws IOException {
        ApiVersionsResponse open;
        try (RawClient client = RawClient.connect(node.port(PLAINTEXT))) {
            open = (ApiVersionsResponse) client.call(new ApiVersionsRequest.Builder().build((short) 4), 1);
        }
        try (RawClient client = RawClient.connect(node.port(SASL_PLAINTEXT))) {
            ApiVersionsResponse first =
                    (ApiVersionsResponse) client.call(new ApiVersionsRequest.Builder().build((short) 4), 1);
            assertThat(first.data().apiKeys()).isEqualTo(open.data().apiKeys());
            assertThat(first.data().finalizedFeatures()).isEqualTo(open.data().finalizedFeatures());
        }
    }

    @Test
    void refusesAnUnknownMechanismAndAWrongPasswordWithKafkasErrors() throws IOException {
        try (RawClient client = RawClient.connect(node.port(SASL_PLAINTEXT))) {
            assertThat(client.call(handshake("WISHFUL"), 1).errorCounts().toString())
                    .contains("UNSUPPORTED_SASL");
            assertThat(client.isClosedByPeer()).isTrue();
        }
        try (RawClient client = RawClient.connect(node.port(SASL_PLAINTEXT))) {
            client.call(handshake("PLAIN"), 1);
            AbstractResponse refused = client.call(authenticate("alice", "wrong"), 2);
            assertThat(refused.errorCounts().toString()).contains("SASL_AUTHENTICATION_FAILED");
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void takesHandshakeAuthenticationAndRequestInOnePiece() throws Exception {
        byte[] all = join(
                frame(RawClient.bytes(handshake("PLAIN"), 1)),
                frame(RawClient.bytes(authenticate("alice", "alice-secret"), 2)),
                frame(apiVersions(3)));
        try (RawClient client = RawClient.connect(node.port(SASL_PLAINTEXT))) {
            client.sendBytes(all);
            for (int correlationId = 1; correlationId <= 3; correlationId++) {
                assertThat(client.readFrame().getInt()).isEqualTo(correlationId);
            }
        }
        try (SSLSocket socket = tls("TLSv1.3", node.port(SASL_SSL))) {
            socket.getOutputStream().write(all); // one record
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int correlationId = 1; correlationId <= 3; correlationId++) {
                byte[] answer = in.readNBytes(in.readInt());
                assertThat(ByteBuffer.wrap(answer).getInt()).isEqualTo(correlationId);
            }
        }
    }

    @Test
    void takesAHandshakeByteByByte() throws IOException {
        try (RawClient client = RawClient.connect(node.port(SASL_PLAINTEXT))) {
            for (byte one : frame(RawClient.bytes(handshake("PLAIN"), 1))) {
                client.sendBytes(one);
            }
            assertThat(client.receive(ApiKeys.SASL_HANDSHAKE, (short) 1, 1).errorCounts())
                    .hasSize(1);
        }
    }

    @Test
    void clientThatNegotiatesAgainIsClosed() throws Exception {
        try (SSLSocket socket = tls("TLSv1.2", node.port(SSL))) {
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        socket.getOutputStream().write(frame(apiVersions(1)));
                        new DataInputStream(socket.getInputStream()).readInt();
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void promisesOfTokensTakeNoMemoryAndHalfHandshakesNoProcessor() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (NodeJmx jmx = NodeJmx.attach(node.process())) {
            long before = jmx.heapAfterCollection();
            for (int client = 0; client < 30; client++) {
                clients.add(RawClient.connect(node.port(SASL_PLAINTEXT)));
                clients.get(client)
                        .sendBytes(ByteBuffer.allocate(4).putInt(524_288).array());
                clients.get(client).sendBytes(new byte[100]);
            }
            for (int client = 30; client < 60; client++) {
                clients.add(RawClient.connect(node.port(client % 2 == 0 ? SSL : SASL_SSL)));
                clients.get(client).sendBytes(Arrays.copyOf(clientHello(), 20));
            }
            for (SecurityProtocol protocol : List.of(SSL, SASL_PLAINTEXT, SASL_SSL)) {
                assertWorks(protocol);
            }
            assertThat(jmx.heapAfterCollection() - before).isLessThan(8 * 1024 * 1024);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void wrongPasswordsDoNotHoldUpOthers() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        ScheduledExecutorService guesser = Executors.newScheduledThreadPool(4);
        try (RawClient known = RawClient.connect(node.port(SASL_PLAINTEXT))) {
            known.call(handshake("PLAIN"), 1);
            known.call(authenticate("alice", "alice-secret"), 2);
            for (int thread = 0; thread < 4; thread++) {
                guesser.scheduleAtFixedRate(() -> guess(refused), thread * 10, 40, TimeUnit.MILLISECONDS);
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> refused.get() > 20);
            long slowestNs = 0;
            for (int request = 3; request < 200; request++) {
                long startNs = System.nanoTime();
                known.call(new ApiVersionsRequest.Builder().build((short) 3), request);
                slowestNs = Math.max(slowestNs, System.nanoTime() - startNs);
            }
            assertThat(Duration.ofNanos(slowestNs)).isLessThan(Duration.ofSeconds(1));
            assertWorks(SASL_SSL);
        } finally {
            guesser.shutdownNow();
        }
        assertThat(node.process().logText().lines().filter(line -> line.contains("authentication failed: ")))
                .as("a line at times")
                .hasSizeBetween(1, 10);
    }

    private static void assertLogIsQuiet() {
        assertThat(node.process().logText().lines())
                .noneMatch(line -> line.contains(" ERROR ") || line.startsWith("\tat "));
    }

    private static void guess(AtomicInteger refused) {
        try (RawClient client = RawClient.connect(node.port(SASL_PLAINTEXT))) {
            client.call(handshake("PLAIN"), 1);
            client.send(authenticate("alice", "guess"), 2);
            client.readFrame();
            refused.incrementAndGet();
        } catch (IOException interrupted) {
            // the test is over
        }
    }

    private static void assertWorks(SecurityProtocol protocol) throws Exception {
        Map<String, Object> settings = protocol == SSL ? node.clients(SSL) : node.clients(protocol, "PLAIN", "alice");
        try (Admin admin = Admin.create(settings)) {
            assertThat(admin.describeCluster().nodes().get(10, TimeUnit.SECONDS))
                    .hasSize(1);
        }
    }

    private static SSLSocket tls(String version, int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(10_000);
        socket.setEnabledProtocols(new String[] {version});
        socket.startHandshake();
        return socket;
    }

    /** The client is the hostile one. */
    private static final class AnyCertificate implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static AbstractRequest handshake(String mechanism) {
        return new SaslHandshakeRequest.Builder(new SaslHandshakeRequestData().setMechanism(mechanism))
                .build((short) 1);
    }

    private static AbstractRequest authenticate(String user, String password) {
        byte[] token = ("\0" + user + "\0" + password).getBytes(UTF_8);
        return new SaslAuthenticateRequest.Builder(new SaslAuthenticateRequestData().setAuthBytes(token))
                .build((short) 2);
    }

    private static byte[] apiVersions(int correlationId) {
        return RawClient.bytes(new ApiVersionsRequest.Builder().build((short) 3), correlationId);
    }

    /** The first record of a handshake, its extensions cut off. */
    private static byte[] clientHello() {
        return join(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3}, new byte[506]);
    }

    /** TLS 1.0 with one cipher, and nothing else. */
    private static byte[] oldClientHello() {
        byte[] body = join(new byte[] {3, 1}, new byte[32], new byte[] {0, 0, 2, 0, 0x2f, 1, 0});
        return join(new byte[] {0x16, 3, 1, 0, (byte) (body.length + 4), 1, 0, 0, (byte) body.length}, body);
    }

    private static byte[] frame(byte[] body) {
        return ByteBuffer.allocate(4 + body.length)
                .putInt(body.length)
                .put(body)
                .array();
    }

    private static byte[] filled(int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) 0xff);
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
