package io.gregor.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.change.ConfigChange;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.MetricsContext;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.telemetry.ClientTelemetry;
import org.apache.kafka.server.telemetry.ClientTelemetryExporter;
import org.apache.kafka.server.telemetry.ClientTelemetryExporterProvider;
import org.apache.kafka.server.telemetry.ClientTelemetryReceiver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

class ReporterServicesTest {
    private final FakeNodeConfig config = FakeNodeConfig.of(Map.of("metrics.context.site", "north"));
    private final Metrics metrics = new Metrics(new MetricConfig(), new CopyOnWriteArrayList<>(), Time.SYSTEM);
    private final List<String> offered = new ArrayList<>();
    private final ReporterServices services = new ReporterServices(bundle(), config, FakeNodeConfig.IDENTITY, metrics);
    private final Told reporter = new Told();
    private final FakeReference<MetricsReporter> reference = FakeReference.of(7);

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void tellsAReporterOfItsValuesItsNodeItsClusterAndAllMetrics() {
        services.bindReporter(reference, reporter);

        assertThat(reporter.calls).containsExactly("configure", "context north", "init count", "cluster cluster");
        assertThat(metrics.reporters()).containsExactly(reporter);
    }

    @Test
    void givesNoValuesToAReporterThatWasMadeWithThem() {
        services.bindReporter(
                new FakeReference<>(8, 0, 1, "plugins", Map.of("gregor.config.key", "metric.reporters")), reporter);

        assertThat(reporter.calls).doesNotContain("configure").contains("init count");
    }

    @Test
    void theRegistryLosesAndClosesAReporterThatLeaves() {
        services.bindReporter(reference, reporter);

        services.unbindReporter(reporter);

        assertThat(metrics.reporters()).isEmpty();
        assertThat(reporter.calls).endsWith("close");
    }

    @Test
    @SuppressWarnings("removal")
    void whatReceivesTheMetricsOfClientsIsAServiceWhileItsReporterIsUsed() {
        MetricsReporter receiving = new Receiving();

        services.bindReporter(reference, receiving);
        assertThat(offered).containsExactly("ClientTelemetryReceiver");

        services.unbindReporter(receiving);
        assertThat(offered).isEmpty();
    }

    @Test
    void ofBothKindsTheExporterCounts() {
        MetricsReporter exporting = new Exporting();

        services.bindReporter(reference, exporting);

        assertThat(offered).containsExactly("ClientTelemetryExporter");
    }

    @Test
    void aReporterThatFailsIsNotUsed() {
        reporter.isBroken = true;

        services.bindReporter(reference, reporter);

        assertThat(metrics.reporters()).isEmpty();
    }

    @Test
    void settingsThatAReporterDeclaresReachIt() {
        services.bindReporter(reference, reporter);
        FakeNodeConfig after = FakeNodeConfig.of(Map.of("reporter.url", "there"));

        assertThat(services.owns("reporter.url")).isTrue();
        assertThat(services.owns("reporter.other")).isFalse();
        services.prepare(new ConfigChange(config, after, Set.of("reporter.url"), false))
                .commit();

        assertThat(reporter.calls).endsWith("validate there", "reconfigure there");
    }

    private static class Told implements MetricsReporter, ClusterResourceListener {
        final List<String> calls = new ArrayList<>();
        boolean isBroken;

        @Override
        public void configure(Map<String, ?> values) {
            calls.add("configure");
        }

        @Override
        public void contextChange(MetricsContext context) {
            calls.add("context " + context.contextLabels().get("site"));
        }

        @Override
        public void init(List<KafkaMetric> all) {
            if (isBroken) {
                throw new IllegalStateException("broken");
            }
            all.forEach(metric -> calls.add("init " + metric.metricName().name()));
        }

        @Override
        public void onUpdate(ClusterResource cluster) {
            calls.add("cluster " + cluster.clusterId());
        }

        @Override
        public void metricChange(KafkaMetric metric) {}

        @Override
        public void metricRemoval(KafkaMetric metric) {}

        @Override
        public Set<String> reconfigurableConfigs() {
            return Set.of("reporter.url");
        }

        @Override
        public void validateReconfiguration(Map<String, ?> values) {
            calls.add("validate " + values.get("reporter.url"));
        }

        @Override
        public void reconfigure(Map<String, ?> values) {
            calls.add("reconfigure " + values.get("reporter.url"));
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    private BundleContext bundle() {
        return Fake.of(BundleContext.class, (proxy, method, arguments) -> {
            String type = ((Class<?>) arguments[0]).getSimpleName();
            offered.add(type);
            return Fake.of(ServiceRegistration.class, (registration, call, none) -> offered.remove(type));
        });
    }

    @SuppressWarnings("removal")
    private static class Receiving extends Told implements ClientTelemetry {
        @Override
        public ClientTelemetryReceiver clientReceiver() {
            return (context, payload) -> {};
        }
    }

    private static final class Exporting extends Receiving implements ClientTelemetryExporterProvider {
        @Override
        public ClientTelemetryExporter clientTelemetryExporter() {
            return (context, payload) -> {};
        }
    }
}
