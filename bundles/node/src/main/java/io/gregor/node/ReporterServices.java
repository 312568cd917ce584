package io.gregor.node;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.plugin.NamedService;
import io.gregor.node.internal.NodeMetrics;
import io.gregor.node.internal.TelemetryOfReporters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds metrics reporters to Kafka's registry, and takes them out, while the node runs: those that {@code metric.reporters}
 * names and those of bundles alike. The registry closes a reporter that it loses. Settings that a reporter declares
 * reconfigurable reach it. Shared: any thread.
 */
@Component(immediate = true)
public final class ReporterServices implements LiveSettings {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReporterServices.class);

    private final NodeConfig config;
    private final Metrics metrics;
    private final KafkaMetricsContext context;
    private final ClusterResource cluster;
    private final TelemetryOfReporters telemetry;

    /** Before any has come. */
    @Activate
    public ReporterServices(
            BundleContext bundle,
            @Reference NodeConfig config,
            @Reference NodeIdentity identity,
            @Reference Metrics metrics) {
        this.config = config;
        this.metrics = metrics;
        this.context = NodeMetrics.context(config, identity.clusterId());
        this.cluster = new ClusterResource(identity.clusterId());
        this.telemetry = new TelemetryOfReporters(bundle);
    }

    /** A reporter; it learns of all metrics that are there. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindReporter(ServiceReference<MetricsReporter> reference, MetricsReporter reporter) {
        try {
            NamedService.configure(reference, reporter, config.values());
            reporter.contextChange(context);
            metrics.addReporter(reporter);
            if (reporter instanceof ClusterResourceListener listener) {
                listener.onUpdate(cluster);
            }
            telemetry.add(reporter);
            LOGGER.info(
                    "metrics reporter is used: reporter={}", reporter.getClass().getName());
        } catch (RuntimeException | LinkageError fault) {
            LOGGER.error(
                    "metrics reporter fails when it is added: reporter={}",
                    reporter.getClass().getName(),
                    fault);
        }
    }

    void unbindReporter(MetricsReporter reporter) {
        try {
            telemetry.remove(reporter);
            metrics.removeReporter(reporter);
        } catch (RuntimeException | LinkageError fault) {
            LOGGER.error(
                    "metrics reporter fails when it is closed: reporter={}",
                    reporter.getClass().getName(),
                    fault);
        }
    }

    @Override
    public boolean owns(String key) {
        return metrics.reporters().stream()
                .anyMatch(reporter -> reporter.reconfigurableConfigs().contains(key));
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        List<MetricsReporter> told = metrics.reporters().stream()
                .filter(reporter -> reporter.reconfigurableConfigs().stream().anyMatch(change.keys()::contains))
                .toList();
        Map<String, Object> values = new HashMap<>(change.after().values().originals());
        values.putAll(change.after().values().values());
        told.forEach(reporter -> reporter.validateReconfiguration(values));
        return PreparedChange.of(() -> told.forEach(reporter -> reporter.reconfigure(values)));
    }
}
