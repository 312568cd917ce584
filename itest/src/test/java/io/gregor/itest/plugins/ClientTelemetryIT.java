package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.NodeJmx;
import io.gregor.itest.RawClient;
import io.gregor.itest.plugins.kinds.TellingTelemetry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.GetTelemetrySubscriptionsRequestData;
import org.apache.kafka.common.message.GetTelemetrySubscriptionsResponseData;
import org.apache.kafka.common.message.PushTelemetryRequestData;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.GetTelemetrySubscriptionsRequest;
import org.apache.kafka.common.requests.GetTelemetrySubscriptionsResponse;
import org.apache.kafka.common.requests.PushTelemetryRequest;
import org.apache.kafka.common.requests.PushTelemetryResponse;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Metrics of clients (KIP-714) reach a plugin from its drop until it is taken away, one story from first to last test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClientTelemetryIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ConfigResource SUBSCRIPTION =
            new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "of-producers");
    private static final int MAX_BYTES = 64 * 1024;

    private GregorProcess node;
    private Path home;
    private Path jar;
    private Admin admin;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        home = folder;
        node = GregorProcess.start(home, "telemetry.max.bytes=" + MAX_BYTES);
        admin = Kinds.admin(node);
        subscribe(entry("metrics", "org.apache.kafka.producer."), entry("match", "client_id=told.*"));
    }

    @AfterAll
    void stop() {
        admin.close();
        node.close();
    }

    @Test
    @Order(1)
    void nobodyIsAskedBeforeThereIsAReceiver() throws Exception {
        assertThat(offered()).isEmpty();
        assertThat(unknownRequests()).isEqualTo(0.0);
        jar = Kinds.service("telemetry", "1.0.0", MetricsReporter.class, TellingTelemetry.class)
                .writeTo(home.resolve("deploy").resolve("telemetry.jar"));
        await().atMost(LIMIT).untilAsserted(() -> assertThat(offered())
                .containsExactly(ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS.id, ApiKeys.PUSH_TELEMETRY.id));
    }

    @Test
    @Order(2)
    void metricsOfAProducerArrive() throws Exception {
        subscribe(entry("interval.ms", "200"));
        try (KafkaProducer<String, String> producer = producer()) {
            producer.send(new ProducerRecord<>("told", "v")).get(20, TimeUnit.SECONDS);
            Uuid id = producer.clientInstanceId(LIMIT);
            awaitTold("pushed by " + id + " of User:ANONYMOUS every 200 terminating=false producer=true");
        }
    }

    @Test
    @Order(3)
    void theLastPushOfAClientComesAtAnyTimeAndIsItsLast() throws Exception {
        try (RawClient client = RawClient.connect(node.port())) {
            GetTelemetrySubscriptionsResponseData asked = ask(client, Uuid.ZERO_UUID);
            Uuid id = asked.clientInstanceId();
            int subscription = asked.subscriptionId();
            assertThat(push(client, push(id, subscription).setMetrics(metrics())))
                    .isEqualTo(Errors.NONE);
            assertThat(push(client, push(id, subscription).setMetrics(metrics())))
                    .as("before its time")
                    .isEqualTo(Errors.THROTTLING_QUOTA_EXCEEDED);

            PushTelemetryRequestData last =
                    push(id, subscription).setMetrics(metrics()).setTerminating(true);
            assertThat(push(client, last)).isEqualTo(Errors.NONE);
            assertThat(push(client, last.duplicate().setMetrics(metrics()))).isEqualTo(Errors.INVALID_REQUEST);

            String pushed = "pushed by " + id + " of User:ANONYMOUS every " + asked.pushIntervalMs() + " terminating=";
            assertThat(Kinds.told(home).stream().filter(line -> line.contains(id.toString())))
                    .containsExactly(pushed + "false producer=true", pushed + "true producer=true");
        }
    }

    @Test
    @Order(4)
    void aWrongPushIsRefusedAsKafkaDoes() throws Exception {
        try (RawClient client = RawClient.connect(node.port())) {
            GetTelemetrySubscriptionsResponseData asked = ask(client, Uuid.ZERO_UUID);
            Uuid id = asked.clientInstanceId();
            assertThat(asked.errorCode()).isZero();
            assertThat(id).isNotEqualTo(Uuid.ZERO_UUID);
            assertThat(asked.requestedMetrics())
                    .as("no subscription fits the client id")
                    .isEmpty();
            assertThat(asked.acceptedCompressionTypes())
                    .containsExactlyInAnyOrder((byte) 4, (byte) 3, (byte) 2, (byte) 1);
            assertThat(asked.telemetryMaxBytes()).isEqualTo(MAX_BYTES);
            assertThat(asked.deltaTemporality()).isTrue();
            int subscription = asked.subscriptionId();

            assertThat(ask(client, id).errorCode())
                    .as("asked again too early")
                    .isEqualTo(Errors.THROTTLING_QUOTA_EXCEEDED.code());
            assertThat(push(client, push(id, subscription + 1))).isEqualTo(Errors.UNKNOWN_SUBSCRIPTION_ID);
            assertThat(push(client, push(Uuid.ZERO_UUID, subscription))).isEqualTo(Errors.INVALID_REQUEST);
        }
        assertThat(unknownRequests()).isEqualTo(1.0);
        try (RawClient client = RawClient.connect(node.port())) {
            GetTelemetrySubscriptionsResponseData asked = ask(client, Uuid.ZERO_UUID);
            PushTelemetryRequestData tooLarge = push(asked.clientInstanceId(), asked.subscriptionId())
                    .setMetrics(ByteBuffer.allocate(MAX_BYTES + 1));
            assertThat(push(client, tooLarge)).isEqualTo(Errors.TELEMETRY_TOO_LARGE);
        }
        try (RawClient client = RawClient.connect(node.port())) {
            GetTelemetrySubscriptionsResponseData asked = ask(client, Uuid.ZERO_UUID);
            PushTelemetryRequestData unknown =
                    push(asked.clientInstanceId(), asked.subscriptionId()).setCompressionType((byte) 9);
            assertThat(push(client, unknown)).isEqualTo(Errors.UNSUPPORTED_COMPRESSION_TYPE);
        }
    }

    @Test
    @Order(5)
    void whatIsKeptForAConnectionGoesWithIt() throws Exception {
        try (NodeJmx jmx = NodeJmx.attach(node)) {
            try (RawClient client = RawClient.connect(node.port())) {
                ask(client, Uuid.ZERO_UUID);
                awaitInstances(jmx, 1.0);
            }
            awaitInstances(jmx, 0.0);
        }
    }

    @Test
    @Order(6)
    void subscriptionsAreListedDescribedAndChecked() throws Exception {
        assertThat(admin.listConfigResources(
                                Set.of(ConfigResource.Type.CLIENT_METRICS), new ListConfigResourcesOptions())
                        .all()
                        .get(20, TimeUnit.SECONDS))
                .containsExactly(SUBSCRIPTION);
        assertThat(admin.describeConfigs(Set.of(SUBSCRIPTION))
                        .all()
                        .get(20, TimeUnit.SECONDS)
                        .get(SUBSCRIPTION)
                        .get("interval.ms")
                        .value())
                .isEqualTo("200");
        for (ConfigEntry wrong : List.of(entry("interval.ms", "99"), entry("match", "who=me"), entry("other", "1"))) {
            assertThat(admin.incrementalAlterConfigs(changes(wrong)).all())
                    .as("%s", wrong)
                    .failsWithin(LIMIT)
                    .withThrowableThat()
                    .withMessageContaining("Invalid");
        }
    }

    @Test
    @Order(7)
    void clientsGoOnWhenTheReceiverIsTakenAway() throws Exception {
        try (KafkaProducer<String, String> producer = producer();
                RawClient client = RawClient.connect(node.port())) {
            producer.send(new ProducerRecord<>("told", "v")).get(20, TimeUnit.SECONDS);
            GetTelemetrySubscriptionsResponseData asked = ask(client, Uuid.ZERO_UUID);

            Files.delete(jar);

            await().atMost(LIMIT).untilAsserted(() -> assertThat(offered()).isEmpty());
            assertThat(push(client, push(asked.clientInstanceId(), asked.subscriptionId())))
                    .isEqualTo(Errors.NONE);
            producer.send(new ProducerRecord<>("told", "v")).get(20, TimeUnit.SECONDS);
        }
    }

    private static ByteBuffer metrics() {
        return ByteBuffer.wrap("org.apache.kafka.producer.record.send.total".getBytes(StandardCharsets.UTF_8));
    }

    private static PushTelemetryRequestData push(Uuid id, int subscription) {
        return new PushTelemetryRequestData().setClientInstanceId(id).setSubscriptionId(subscription);
    }

    private static Errors push(RawClient client, PushTelemetryRequestData data) throws IOException {
        PushTelemetryRequest request = new PushTelemetryRequest.Builder(data).build((short) 0);
        return ((PushTelemetryResponse) client.call(request, 1)).error();
    }

    private static GetTelemetrySubscriptionsResponseData ask(RawClient client, Uuid id) throws IOException {
        GetTelemetrySubscriptionsRequest request = new GetTelemetrySubscriptionsRequest.Builder(
                        new GetTelemetrySubscriptionsRequestData().setClientInstanceId(id))
                .build((short) 0);
        return ((GetTelemetrySubscriptionsResponse) client.call(request, 1)).data();
    }

    private void subscribe(ConfigEntry... entries) throws Exception {
        admin.incrementalAlterConfigs(changes(entries)).all().get(20, TimeUnit.SECONDS);
    }

    private static Map<ConfigResource, Collection<AlterConfigOp>> changes(ConfigEntry... entries) {
        List<AlterConfigOp> changes = new ArrayList<>();
        for (ConfigEntry entry : entries) {
            changes.add(new AlterConfigOp(entry, AlterConfigOp.OpType.SET));
        }
        return Map.of(SUBSCRIPTION, changes);
    }

    private static ConfigEntry entry(String name, String value) {
        return new ConfigEntry(name, value);
    }

    private KafkaProducer<String, String> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", node.bootstrap(), "client.id", "told-1"),
                new StringSerializer(),
                new StringSerializer());
    }

    private void awaitTold(String line) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(Kinds.told(home)).contains(line));
    }

    private List<Short> offered() throws IOException {
        try (RawClient client = RawClient.connect(node.port())) {
            ApiVersionsResponse answer =
                    (ApiVersionsResponse) client.call(new ApiVersionsRequest.Builder().build((short) 4), 1);
            return List.of(ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS, ApiKeys.PUSH_TELEMETRY).stream()
                    .filter(key -> answer.data().apiKeys().find(key.id) != null)
                    .map(key -> key.id)
                    .toList();
        }
    }

    private double unknownRequests() throws Exception {
        try (NodeJmx jmx = NodeJmx.attach(node)) {
            return figure(jmx, "unknown-subscription-request-count");
        }
    }

    private static void awaitInstances(NodeJmx jmx, double count) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(figure(jmx, "instance-count")).isEqualTo(count));
    }

    private static double figure(NodeJmx jmx, String attribute) throws Exception {
        return jmx.number("kafka.server:type=client-metrics", attribute);
    }
}
