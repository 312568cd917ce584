package io.gregor.telemetry.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.requests.PushTelemetryRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.metrics.ClientTelemetryExporterPlugin;
import org.apache.kafka.server.metrics.DefaultClientTelemetryContext;
import org.apache.kafka.server.telemetry.ClientTelemetryContext;
import org.apache.kafka.server.telemetry.ClientTelemetryExporter;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;
import org.apache.kafka.server.telemetry.ClientTelemetryReceiver;

/**
 * Those who receive what clients tell, in the order in which they came; Kafka's own list of them only grows. Shared: service
 * threads change it, handler threads hand over.
 */
@SuppressWarnings("removal")
public final class Receivers extends ClientTelemetryExporterPlugin {
    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();

    /** One of them; the key is what it was added with. */
    private record Receiver(Object key, ClientTelemetryExporter exporter) {}

    @Override
    public boolean isEmpty() {
        return receivers.isEmpty();
    }

    @Override
    public void add(ClientTelemetryReceiver receiver) {
        receivers.add(new Receiver(
                receiver, (context, payload) -> receiver.exportMetrics(context.authorizableRequestContext(), payload)));
    }

    @Override
    public void add(ClientTelemetryExporter exporter) {
        receivers.add(new Receiver(exporter, exporter));
    }

    /** Gets nothing any more. */
    @SuppressWarnings("ReferenceEquality")
    public void remove(Object receiverOrExporter) {
        receivers.removeIf(receiver -> receiver.key() == receiverOrExporter);
    }

    /** Each gets the payload, also after the fault of another; the first fault is thrown when all have it. */
    @Override
    public void exportMetrics(
            RequestContext client, PushTelemetryRequest pushed, int pushIntervalMs, int maxDecompressedBytes) {
        ClientTelemetryContext context = new DefaultClientTelemetryContext(pushIntervalMs, client);
        ClientTelemetryPayload payload = SharedPayload.of(getPayLoad(pushed, maxDecompressedBytes));
        RuntimeException first = null;
        for (Receiver receiver : receivers) {
            try {
                receiver.exporter().exportMetrics(context, payload);
            } catch (RuntimeException | LinkageError fault) {
                first = first == null ? wrapped(fault) : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static RuntimeException wrapped(Throwable fault) {
        return fault instanceof RuntimeException own ? own : new IllegalStateException(fault);
    }
}
