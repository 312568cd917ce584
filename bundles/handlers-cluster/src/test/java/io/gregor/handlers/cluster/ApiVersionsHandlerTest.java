package io.gregor.handlers.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.Request;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.dispatch.ServedApis;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.ClientMetricsManager;
import org.apache.kafka.server.metrics.ClientTelemetryExporterPlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiVersionsHandlerTest {
    private final FakeMetadata metadata = new FakeMetadata().serve(Images.of(42));
    private ServedApis.Snapshot served = snapshot(
            new ApiVersion()
                    .setApiKey(ApiKeys.PRODUCE.id)
                    .setMinVersion((short) 0)
                    .setMaxVersion((short) 13),
            new ApiVersion()
                    .setApiKey(ApiKeys.CREATE_TOPICS.id)
                    .setMinVersion((short) 2)
                    .setMaxVersion((short) 7),
            new ApiVersion().setApiKey((short) 10_000).setMinVersion((short) 0).setMaxVersion((short) 1));
    private final ApiVersionsHandler handler = handler("broker");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void servedApisAreToldInEveryVersion(int version) {
        ApiVersionsResponseData answer = ask(version);
        assertThat(answer.errorCode()).isZero();
        assertThat(answer.apiKeys()).containsExactlyElementsOf(served.apis());
        assertThat(answer.zkMigrationReady()).isFalse();
    }

    @Test
    void featuresAreThoseOfTheSoftwareAndOfTheImage() {
        ApiVersionsResponseData answer = ask(4);
        assertThat(answer.finalizedFeaturesEpoch()).isEqualTo(42);
        assertThat(answer.finalizedFeatures())
                .extracting(FinalizedFeatureKey::name)
                .contains("metadata.version", "kraft.version");
        assertThat(answer.supportedFeatures())
                .extracting(SupportedFeatureKey::name)
                .contains("metadata.version", "group.version");
        assertThat(ask(3).supportedFeatures())
                .as("features from level 0 on are hidden from older clients")
                .noneMatch(feature -> feature.minVersion() == 0);
    }

    @Test
    void noFinalizedFeaturesAreToldBeforeTheFirstImage() {
        metadata.serve(MetadataImage.EMPTY);
        assertThat(ask(4).finalizedFeaturesEpoch()).isEqualTo(-1);
        assertThat(ask(4).finalizedFeatures()).isEmpty();
    }

    @Test
    void bytesAreKeptUntilWhatTheyTellChanges() {
        ByteBuffer first = askForBytes(4);
        assertThat(askForBytes(4)).isSameAs(first);
        assertThat(askForBytes(3)).isNotSameAs(first);

        metadata.serve(Images.with(metadata.image(), 43, Images.broker(1, false)));
        ByteBuffer second = askForBytes(4);
        assertThat(second).isNotSameAs(first);
        assertThat(ask(4).finalizedFeaturesEpoch()).isEqualTo(43);

        served = snapshot(new ApiVersion()
                .setApiKey(ApiKeys.FETCH.id)
                .setMinVersion((short) 4)
                .setMaxVersion((short) 18));
        assertThat(ask(4).apiKeys()).containsExactlyElementsOf(served.apis());

        handler.bindForwarding(new KnownController(NodeApiVersions.create()));
        ByteBuffer third = askForBytes(4);
        assertThat(askForBytes(4)).isSameAs(third);
        assertThat(third).isNotSameAs(second);
    }

    @Test
    void forwardedApisAreToldInTheVersionsThatTheControllerKnowsToo() {
        Forwarding way = new KnownController(NodeApiVersions.create(List.of(new ApiVersion()
                .setApiKey(ApiKeys.CREATE_TOPICS.id)
                .setMinVersion((short) 5)
                .setMaxVersion((short) 9))));
        handler.bindForwarding(way);
        assertThat(ask(4).apiKeys().find(ApiKeys.CREATE_TOPICS.id).minVersion()).isEqualTo((short) 5);
        assertThat(ask(4).apiKeys().find(ApiKeys.CREATE_TOPICS.id).maxVersion()).isEqualTo((short) 7);
        assertThat(ask(4).apiKeys().find(ApiKeys.PRODUCE.id).maxVersion()).isEqualTo((short) 13);

        handler.bindForwarding(new KnownController(new NodeApiVersions(List.of(), List.of())));
        assertThat(ask(4).apiKeys().find(ApiKeys.CREATE_TOPICS.id)).isNull();
        assertThat(ask(4).apiKeys().find((short) 10_000)).isNotNull();

        handler.unbindForwarding(way);
        assertThat(ask(4).apiKeys().find(ApiKeys.CREATE_TOPICS.id))
                .as("the newer one stays")
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 127, -1})
    void unknownVersionIsAnsweredInVersionZeroWithTheVersionsOfThisApi(int version) {
        ApiVersionsResponseData answer = ask(version);
        assertThat(answer.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(answer.apiKeys())
                .containsExactly(new ApiVersion()
                        .setApiKey((short) 18)
                        .setMinVersion((short) 0)
                        .setMaxVersion((short) 5));
    }

    @ParameterizedTest
    @CsvSource({"a b, 1", "'', 1", "name, ''"})
    void badSoftwareNamesAreRefused(String name, String version) {
        ApiVersionsResponseData answer = ask(
                handler,
                new ApiVersionsRequestData().setClientSoftwareName(name).setClientSoftwareVersion(version),
                3);
        assertThat(answer.errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(answer.apiKeys()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"cluster, 1, 0", "other, 1, 129", "cluster, 2, 129"})
    void clientOfAnotherNodeIsToldToStartAnewByBrokersOnly(String cluster, int node, short error) {
        ApiVersionsRequestData question = new ApiVersionsRequestData()
                .setClientSoftwareName("test")
                .setClientSoftwareVersion("1")
                .setClusterId(cluster)
                .setNodeId(node);
        assertThat(ask(handler, question, 5).errorCode()).isEqualTo(error);
        assertThat(ask(handler("controller"), question, 5).errorCode()).isZero();
    }

    @SuppressWarnings("try") // of ClientMetricsManager.close
    @Test
    void pushingMetricsIsOfferedOnlyWhileSomebodyReceivesThem() throws Exception {
        served = snapshot(
                new ApiVersion().setApiKey(ApiKeys.FETCH.id).setMaxVersion((short) 18),
                new ApiVersion().setApiKey(ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS.id),
                new ApiVersion().setApiKey(ApiKeys.PUSH_TELEMETRY.id));
        AtomicBoolean isReceived = new AtomicBoolean();
        ClientTelemetryExporterPlugin receivers = new ClientTelemetryExporterPlugin() {
            @Override
            public boolean isEmpty() {
                return !isReceived.get();
            }
        };
        assertThat(keys()).containsExactly(ApiKeys.FETCH.id);
        try (Metrics metrics = new Metrics();
                ClientMetricsManager manager = new ClientMetricsManager(receivers, 1024, Time.SYSTEM, metrics)) {
            handler.bindTelemetry(manager);
            assertThat(keys()).containsExactly(ApiKeys.FETCH.id);
            isReceived.set(true);
            assertThat(keys()).hasSize(3);
            isReceived.set(false);
            assertThat(keys()).containsExactly(ApiKeys.FETCH.id);
            isReceived.set(true);
            handler.unbindTelemetry(manager);
            assertThat(keys()).containsExactly(ApiKeys.FETCH.id);
        }
    }

    @Test
    void controllerDoesNotAskTheWayToItself() {
        ApiVersionsHandler controller = handler("controller");
        controller.bindForwarding(new KnownController(new NodeApiVersions(List.of(), List.of())));
        assertThat(ask(controller, named(), 4).apiKeys().find(ApiKeys.CREATE_TOPICS.id))
                .isNotNull();
    }

    private ApiVersionsHandler handler(String role) {
        return new ApiVersionsHandler(
                Map.of("role", role), () -> served, metadata, FakeNodeConfig.of(), FakeNodeConfig.IDENTITY);
    }

    private List<Short> keys() {
        return ask(4).apiKeys().stream().map(ApiVersion::apiKey).toList();
    }

    private ApiVersionsResponseData ask(int version) {
        return ask(handler, named(), version);
    }

    private static ApiVersionsResponseData ask(ApiVersionsHandler asked, ApiVersionsRequestData body, int version) {
        FakeRequest request = FakeRequest.parsed(ApiKeys.API_VERSIONS, version, body);
        asked.handle(request);
        return request.answer(ApiVersionsResponse.class).data();
    }

    private ByteBuffer askForBytes(int version) {
        FakeRequest request = FakeRequest.parsed(ApiKeys.API_VERSIONS, version, named());
        handler.handle(request);
        return request.answer(ByteBuffer.class);
    }

    private static ApiVersionsRequestData named() {
        return new ApiVersionsRequestData().setClientSoftwareName("test").setClientSoftwareVersion("1");
    }

    private static ServedApis.Snapshot snapshot(ApiVersion... apis) {
        ApiVersionCollection all = new ApiVersionCollection();
        all.addAll(List.of(apis));
        return new ServedApis.Snapshot(all);
    }

    private record KnownController(NodeApiVersions versions) implements Forwarding {
        @Override
        public void forward(Request request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void forward(Request request, AbstractRequest body, Consumer<Optional<AbstractResponse>> done) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<NodeApiVersions> controllerApiVersions() {
            return Optional.of(versions);
        }
    }
}
