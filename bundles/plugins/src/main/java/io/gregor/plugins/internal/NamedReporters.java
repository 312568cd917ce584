package io.gregor.plugins.internal;

import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.plugin.NamedService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.server.metrics.MetricConfigs;
import org.osgi.framework.BundleContext;

/** The reporters that {@code metric.reporters} names, by class name. Owned by {@code NamedServices}. */
public final class NamedReporters {
    private final BundleContext context;
    private Map<String, NamedKey<MetricsReporter>> current = Map.of();

    /** Without any yet. */
    public NamedReporters(BundleContext context) {
        this.context = context;
    }

    /**
     * Makes the reporters that a configuration names and that are not there yet; those that stay are left as they are.
     *
     * @throws org.apache.kafka.common.config.ConfigException if one cannot be made
     */
    public PreparedChange prepare(NodeConfig config, ClassLoader loader) {
        Map<String, Object> values = new HashMap<>(config.values().originals());
        values.put("broker.id", Integer.toString(config.nodeId()));
        values.put("node.id", Integer.toString(config.nodeId()));
        Map<String, NamedKey<MetricsReporter>> next = new LinkedHashMap<>();
        List<NamedKey<MetricsReporter>> made = new ArrayList<>();
        try {
            for (String className : config.values().getList(MetricConfigs.METRIC_REPORTER_CLASSES_CONFIG)) {
                NamedKey<MetricsReporter> known = current.get(className);
                next.put(className, known == null ? make(className, values, loader, made) : known);
            }
        } catch (RuntimeException refused) {
            made.forEach(NamedKey::discard);
            throw refused;
        }
        return new Prepared(next, made);
    }

    private static NamedKey<MetricsReporter> make(
            String className, Map<String, ?> values, ClassLoader loader, List<NamedKey<MetricsReporter>> made) {
        NamedKey<MetricsReporter> reporter = new NamedKey<>(
                new NamedService(MetricConfigs.METRIC_REPORTER_CLASSES_CONFIG, className),
                MetricsReporter.class,
                values,
                true);
        reporter.make(loader);
        made.add(reporter);
        return reporter;
    }

    /** Other bundles may count now. */
    public void look(ClassLoader loader) {
        current.values().forEach(reporter -> reporter.look(context, loader));
    }

    /** None is a service any more. */
    public void close() {
        current.values().forEach(NamedKey::close);
        current = Map.of();
    }

    /** Reporters that were made and are no services yet. */
    private final class Prepared implements PreparedChange {
        private final Map<String, NamedKey<MetricsReporter>> next;
        private final List<NamedKey<MetricsReporter>> made;

        private Prepared(Map<String, NamedKey<MetricsReporter>> next, List<NamedKey<MetricsReporter>> made) {
            this.next = next;
            this.made = made;
        }

        @Override
        public CompletableFuture<String> commit() {
            made.forEach(reporter -> reporter.register(context));
            current.forEach((className, reporter) -> {
                if (!next.containsKey(className)) {
                    reporter.close();
                }
            });
            current = next;
            return CompletableFuture.completedFuture("");
        }

        @Override
        public void undo() {
            made.forEach(NamedKey::discard);
        }
    }
}
