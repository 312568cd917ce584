package io.gregor.telemetry.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.PushTelemetryRequestData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.PushTelemetryRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.telemetry.ClientTelemetryExporter;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;
import org.apache.kafka.server.telemetry.ClientTelemetryReceiver;
import org.junit.jupiter.api.Test;

@SuppressWarnings("removal")
class ReceiversTest {
    private static final Uuid CLIENT = new Uuid(7, 9);
    private static final int INTERVAL_MS = 1000;
    private static final int MAX_BYTES = 1024;

    private final Receivers receivers = new Receivers();
    private final List<String> received = new ArrayList<>();

    @Test
    void bothKindsGetTheWholePayloadEach() {
        ClientTelemetryReceiver receiver =
                (context, payload) -> received.add(context.clientAddress().isLoopbackAddress() + " " + read(payload));
        ClientTelemetryExporter exporter =
                (context, payload) -> received.add(context.pushIntervalMs() + " " + read(payload));
        assertThat(receivers.isEmpty()).isTrue();

        receivers.add(receiver);
        receivers.add(exporter);
        push();

        assertThat(receivers.isEmpty()).isFalse();
        assertThat(received).containsExactly("true metrics", "1000 metrics");
    }

    @Test
    void whoHasLeftGetsNothing() {
        ClientTelemetryExporter exporter = (context, payload) -> received.add("late");
        receivers.add(exporter);

        receivers.remove(exporter);
        push();

        assertThat(receivers.isEmpty()).isTrue();
        assertThat(received).isEmpty();
    }

    @Test
    void theFaultOfOneIsToldWhenTheOthersHaveTheirs() {
        receivers.add((ClientTelemetryExporter) (context, payload) -> {
            throw new IllegalStateException("planted");
        });
        receivers.add((ClientTelemetryExporter) (context, payload) -> received.add(read(payload)));

        assertThatThrownBy(this::push).hasMessage("planted");

        assertThat(received).containsExactly("metrics");
    }

    private void push() {
        PushTelemetryRequest request = new PushTelemetryRequest(
                new PushTelemetryRequestData()
                        .setClientInstanceId(CLIENT)
                        .setMetrics(ByteBuffer.wrap("metrics".getBytes(StandardCharsets.UTF_8))),
                (short) 0);
        receivers.exportMetrics(context(), request, INTERVAL_MS, MAX_BYTES);
    }

    private static String read(ClientTelemetryPayload payload) {
        assertThat(payload.clientInstanceId()).isEqualTo(CLIENT);
        return StandardCharsets.UTF_8.decode(payload.data()).toString();
    }

    private static RequestContext context() {
        return new RequestContext(
                new RequestHeader(ApiKeys.PUSH_TELEMETRY, (short) 0, "client", 1),
                "connection",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                ListenerName.normalised("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false);
    }
}
