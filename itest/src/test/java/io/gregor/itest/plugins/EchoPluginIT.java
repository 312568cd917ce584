package io.gregor.itest.plugins;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.example.echo.client.EchoClient;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import io.gregor.itest.data.DataClients;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new API comes with a jar and goes with it; Kafka's own clients notice neither. */
class EchoPluginIT {
    private static final short KEY = 10_000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path home;

    private GregorProcess node;

    @BeforeEach
    void start() {
        node = GregorProcess.start(home);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void isServedFromTheDropToTheRemoval() throws Exception {
        try (KafkaProducer<String, String> producer = new DataClients(node).producer(Map.of());
                RawClient early = RawClient.connect(node.port())) {
            produce(producer);
            assertThat(listed(early)).isNull();

            ExamplePlugin echo = ExamplePlugin.drop(node, "echo");
            assertThat(listed(early).minVersion()).isZero();
            assertThat(listed(early).maxVersion()).isZero();
            assertThat(call(early, "over a connection from before")).isEqualTo("over a connection from before");
            try (RawClient late = RawClient.connect(node.port())) {
                assertThat(call(late, "")).isEmpty();
            }
            produce(producer);

            echo.takeAway();
            assertThat(listed(early)).isNull();
            send(early, "gone");
            assertThat(early.isClosedByPeer()).isTrue();
            produce(producer);
        }
        assertThat(new DataClients(node).readAll("beside", Map.of())).hasSize(3);
        assertThat(node.logText()).doesNotContain("] ERROR ");
    }

    @Test
    void answersTheClientOfTheExample() throws Exception {
        byte[] bytes = new byte[1024 * 1024];
        new Random(7).nextBytes(bytes);
        ExamplePlugin echo = ExamplePlugin.drop(node, "echo");

        try (EchoClient client = EchoClient.connect("127.0.0.1", node.port(), LIMIT)) {
            assertThat(client.isServed()).isTrue();
            assertThat(client.echo("hello".getBytes(UTF_8))).isEqualTo("hello".getBytes(UTF_8));
            assertThat(client.echo(new byte[0])).isEmpty();
            assertThat(client.echo(bytes)).isEqualTo(bytes);

            echo.takeAway();
            await().atMost(LIMIT).until(() -> !client.isServed());
            assertThatThrownBy(() -> client.echo(bytes)).isInstanceOf(IOException.class);
        }
    }

    private static void produce(KafkaProducer<String, String> producer) throws Exception {
        producer.send(new ProducerRecord<>("beside", "value")).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static ApiVersion listed(RawClient client) throws IOException {
        ApiVersionsRequest request = new ApiVersionsRequest.Builder().build((short) 4);
        return ((ApiVersionsResponse) client.call(request, 1)).data().apiKeys().find(KEY);
    }

    private static String call(RawClient client, String text) throws IOException {
        send(client, text);
        ByteBuffer answer = client.readFrame();
        assertThat(answer.getInt()).isEqualTo(7);
        assertThat(answer.get()).isZero();
        return UTF_8.decode(answer).toString();
    }

    /** Key, version, correlation id, no client id, no tagged fields, body. */
    private static void send(RawClient client, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(11 + body.length)
                .putShort(KEY)
                .putShort((short) 0)
                .putInt(7)
                .putShort((short) -1)
                .put((byte) 0)
                .put(body);
        client.sendFrame(frame.array());
    }
}
