package io.gregor.itest.plugins.kinds;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.server.telemetry.ClientTelemetryContext;
import org.apache.kafka.server.telemetry.ClientTelemetryExporter;
import org.apache.kafka.server.telemetry.ClientTelemetryExporterProvider;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;

/** A reporter that receives the metrics of clients, and tells of each push. */
public final class TellingTelemetry
        implements MetricsReporter, ClientTelemetryExporterProvider, ClientTelemetryExporter {
    @Override
    public ClientTelemetryExporter clientTelemetryExporter() {
        return this;
    }

    @Override
    public void exportMetrics(ClientTelemetryContext context, ClientTelemetryPayload payload) {
        String metrics = StandardCharsets.ISO_8859_1.decode(payload.data()).toString();
        Told.tell("pushed by " + payload.clientInstanceId()
                + " of " + context.authorizableRequestContext().principal()
                + " every " + context.pushIntervalMs()
                + " terminating=" + payload.isTerminating()
                + " producer=" + metrics.contains("org.apache.kafka.producer.record.send.total"));
    }

    @Override
    public void configure(Map<String, ?> values) {}

    @Override
    public void init(List<KafkaMetric> metrics) {}

    @Override
    public void metricChange(KafkaMetric metric) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {}

    @Override
    public void close() {}
}
