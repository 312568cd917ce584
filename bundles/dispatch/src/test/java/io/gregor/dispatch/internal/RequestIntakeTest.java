package io.gregor.dispatch.internal;

import static io.gregor.internal.request.Verdict.CLOSE;
import static io.gregor.internal.request.Verdict.QUEUED;
import static io.gregor.internal.request.Verdict.REAUTHENTICATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.api.Request;
import io.gregor.internal.request.Verdict;
import io.gregor.testing.FakeReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestIntakeTest {
    private static final byte[] NO_NAME = {};

    private final HandlerServices services = new HandlerServices();
    private final RequestChannel channel = new RequestChannel(10);
    private final RoleDispatcher dispatcher =
            new RoleDispatcher(services.registry, channel, System::nanoTime, times -> {}, new QuotaMeter(false));
    private final RequestIntake intake = new RequestIntake(services.registry, channel, dispatcher);
    private final FakeConnection connection = new FakeConnection();
    private final AtomicInteger released = new AtomicInteger();
    private final AtomicReference<Request> handled = new AtomicReference<>();

    @BeforeEach
    void serveSomeApis() {
        services.add(handled::set, 0, 0, 1, 3, 11, 17, 18, 19);
    }

    @ParameterizedTest
    @CsvSource({
        "999, 0",
        "-1, 0",
        "4, 4",
        "7, 3",
        "52, 0",
        "72, 0",
        "3, 14",
        "3, -1",
        "1, 3",
        "0, 2",
        "11, 100",
        "10000, 0",
        "20, 6",
    })
    void connectionIsClosedForWhatIsNotServed(int key, int version) {
        assertThat(take(Frames.raw(key, version))).isEqualTo(CLOSE);
        assertThat(released).hasValue(1);
    }

    @Test
    void connectionIsClosedForFramesThatAreNoRequest() {
        byte[] ones = new byte[64];
        Arrays.fill(ones, (byte) 0xff);
        assertThat(take(ByteBuffer.wrap(ones))).isEqualTo(CLOSE);
        assertThat(take(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(CLOSE);
        assertThat(take(ByteBuffer.allocate(3))).isEqualTo(CLOSE);
        assertThat(take(ByteBuffer.allocate(0))).isEqualTo(CLOSE);
        assertThat(released).hasValue(4);
    }

    @ParameterizedTest
    @CsvSource({"3, 1", "3, 9", "0, 9", "1, 12"})
    void connectionIsClosedForATruncatedBody(int key, int version) {
        assertThat(take(Frames.raw(key, version, (byte) 0, (byte) 0, (byte) 0))).isEqualTo(CLOSE);
        assertThat(released).hasValue(1);
    }

    @Test
    void connectionIsClosedForAHugeArrayLength() {
        assertThat(take(Frames.raw(3, 1, (byte) 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff)))
                .isEqualTo(CLOSE);
    }

    @Test
    void connectionIsClosedForAHeaderCutOffInTheClientId() {
        assertThat(take(Frames.raw(18, 0, new byte[] {'t'}, 40))).isEqualTo(CLOSE);
    }

    @Test
    void trailingBytesAreTolerated() {
        assertThat(take(Frames.raw(3, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 1, (byte) 2)))
                .isEqualTo(QUEUED);
    }

    @Test
    void oddClientIdsAreTaken() throws Exception {
        assertThat(take(Frames.raw(18, 0, new byte[] {(byte) 0xff, (byte) 0xfe}, 2)))
                .isEqualTo(QUEUED);
        assertThat(take(Frames.raw(18, 0, NO_NAME, -2))).isEqualTo(QUEUED);
        assertThat(take(Frames.raw(18, 0, NO_NAME, -1))).isEqualTo(QUEUED);
        handleAll();
        assertThat(handled.get().context().clientId()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"6", "127", "-1"})
    void apiVersionsPassesInAnyVersionAndIsAnsweredInVersionZero(int version) {
        assertThat(take(Frames.raw(18, version, new byte[] {}, -1, (byte) 0))).isEqualTo(QUEUED);
        handleAll();
        assertThat(handled.get().body(ApiVersionsRequest.class).hasUnsupportedRequestVersion())
                .isTrue();
        assertThat(handled.get().context().apiVersion()).isZero();
    }

    @Test
    void clientNameAndVersionAreLearntFromApiVersions() {
        take(Frames.of(
                ApiKeys.API_VERSIONS,
                3,
                new ApiVersionsRequestData().setClientSoftwareName("kafka-test").setClientSoftwareVersion("1.2")));
        assertThat(connection.client.softwareName()).isEqualTo("kafka-test");
        assertThat(connection.client.softwareVersion()).isEqualTo("1.2");
        assertThat(connection.lastApi).isEqualTo((short) 18);

        take(Frames.of(
                ApiKeys.API_VERSIONS,
                3,
                new ApiVersionsRequestData().setClientSoftwareName("a b").setClientSoftwareVersion("1")));
        assertThat(connection.client.softwareName()).isEqualTo("kafka-test");
    }

    @Test
    void handshakeGoesToTheAuthenticatorFromItsFirstByteWhenItIsDue() {
        connection.takesReauthentication = true;
        connection.isExpired = true;
        ByteBuffer frame = Frames.of(ApiKeys.SASL_HANDSHAKE, 1, new SaslHandshakeRequestData().setMechanism("PLAIN"));
        assertThat(take(frame)).isEqualTo(REAUTHENTICATE);
        assertThat(frame.position()).isZero();
        assertThat(released).hasValue(0);
    }

    @Test
    void connectionIsClosedWhenItsSessionIsExpired() {
        connection.takesReauthentication = true;
        connection.isExpired = true;
        assertThat(take(metadata())).isEqualTo(CLOSE);
        assertThat(released).hasValue(1);
    }

    @Test
    void bufferIsReleasedOnceTheBodyIsParsedUnlessTheBodyRefersToIt() {
        take(metadata());
        assertThat(released).hasValue(1);
        handleAll();
        assertThatThrownBy(() -> handled.get().bodyBytes()).isInstanceOf(IllegalStateException.class);

        take(Frames.of(ApiKeys.CREATE_TOPICS, 7, new CreateTopicsRequestData()));
        handleAll();
        assertThat(released).hasValue(1);
        assertThat(handled.get().bodyBytes().remaining()).isPositive();
    }

    @Test
    void newApiHasAFlexibleHeaderAndItsBytes() {
        services.add(
                handled::set,
                new FakeReference<>(50, 0, Map.of("api.key", 10_001, "api.min.version", 1, "api.max.version", 2)));
        assertThat(take(Frames.newApi(10_001, 0))).isEqualTo(CLOSE);
        assertThat(take(Frames.newApi(10_001, 3))).isEqualTo(CLOSE);
        assertThat(take(Frames.newApi(10_001, 2, (byte) 1, (byte) 2))).isEqualTo(QUEUED);
        handleAll();
        Request request = handled.get();
        assertThat(request.apiKey()).isEqualTo((short) 10_001);
        assertThat(request.apiVersion()).isEqualTo((short) 2);
        assertThat(request.bodyBytes()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
        assertThatThrownBy(() -> request.body(MetadataRequest.class)).isInstanceOf(IllegalStateException.class);
        assertThat(released).hasValue(2);
    }

    @Test
    void requestIsRefusedWhenTheChannelIsClosed() {
        channel.close();
        assertThat(take(metadata())).isEqualTo(CLOSE);
        assertThat(released).hasValue(1);
    }

    private static ByteBuffer metadata() {
        MetadataRequestData body = new MetadataRequestData();
        body.topics().add(new MetadataRequestTopic().setName("t"));
        return Frames.of(ApiKeys.METADATA, 12, body);
    }

    private Verdict take(ByteBuffer frame) {
        return intake.take(connection, frame, 1, released::incrementAndGet);
    }

    private void handleAll() {
        HandlerSeat seat = new HandlerSeat(Thread.currentThread());
        while (channel.depth() > 0) {
            Work work = channel.take(seat);
            work.run(RequestLocal.noCaching());
        }
    }
}
