package io.gregor.node.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.server.telemetry.ClientTelemetry;
import org.apache.kafka.server.telemetry.ClientTelemetryExporter;
import org.apache.kafka.server.telemetry.ClientTelemetryExporterProvider;
import org.apache.kafka.server.telemetry.ClientTelemetryReceiver;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/**
 * What reporters have to receive the metrics of clients with (KIP-714), as a service while the reporter is used. Of one that
 * has both kinds Kafka takes the {@link ClientTelemetryExporter} (KIP-1076). Shared: any thread.
 */
@SuppressWarnings("removal")
public final class TelemetryOfReporters {
    private final BundleContext context;
    private final Map<MetricsReporter, ServiceRegistration<?>> offered = new ConcurrentHashMap<>();

    /** Without any yet. */
    public TelemetryOfReporters(BundleContext context) {
        this.context = context;
    }

    /** Offers what a reporter has; it is configured. */
    public void add(MetricsReporter reporter) {
        if (reporter instanceof ClientTelemetryExporterProvider provider) {
            offer(reporter, ClientTelemetryExporter.class, provider.clientTelemetryExporter());
        } else if (reporter instanceof ClientTelemetry telemetry) {
            offer(reporter, ClientTelemetryReceiver.class, telemetry.clientReceiver());
        }
    }

    /** Takes back what a reporter had, which is closed after that. */
    public void remove(MetricsReporter reporter) {
        ServiceRegistration<?> registration = offered.remove(reporter);
        if (registration != null) {
            registration.unregister();
        }
    }

    private <T> void offer(MetricsReporter reporter, Class<T> type, T receiver) {
        offered.put(reporter, context.registerService(type, receiver, null));
    }
}
