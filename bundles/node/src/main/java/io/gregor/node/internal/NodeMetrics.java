package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.apache.kafka.server.metrics.MetricConfigs;

/** Kafka's metrics registry of this node; reporters are added when they come. Owned by the threads that start and stop the node. */
public final class NodeMetrics implements AutoCloseable {
    private static final String PREFIX = "kafka.server";

    private final Metrics registry;
    private final String nodeId;

    private NodeMetrics(Metrics registry, String nodeId) {
        this.registry = registry;
        this.nodeId = nodeId;
    }

    /** Opens the registry as Kafka's server does. */
    static NodeMetrics open(NodeConfig config, String clusterId, CleanEnd faults) {
        KafkaYammerMetrics.INSTANCE.configure(config.values().originals());
        String nodeId = Integer.toString(config.nodeId());
        Metrics registry = new Metrics(
                metricConfig(config), new CopyOnWriteArrayList<>(), Time.SYSTEM, true, context(config, clusterId));
        AppInfoParser.registerAppInfo(PREFIX, nodeId, registry, Time.SYSTEM.milliseconds());
        registry.addMetric(
                registry.metricName("non-fatal-fault-count", "gregor-node", "Faults that the node survived."),
                (Gauge<Long>) (ignored, nowMs) -> faults.nonFatalFaultCount());
        return new NodeMetrics(registry, nodeId);
    }

    /** What reporters are told about node and cluster. */
    public static KafkaMetricsContext context(NodeConfig config, String clusterId) {
        Map<String, Object> labels = new HashMap<>();
        labels.put("kafka.cluster.id", clusterId);
        labels.put("kafka.node.id", Integer.toString(config.nodeId()));
        labels.putAll(config.values().originalsWithPrefix("metrics.context."));
        return new KafkaMetricsContext(PREFIX, labels);
    }

    private static MetricConfig metricConfig(NodeConfig config) {
        return new MetricConfig()
                .samples(config.values().getInt(MetricConfigs.METRIC_NUM_SAMPLES_CONFIG))
                .recordLevel(Sensor.RecordingLevel.forName(
                        config.values().getString(MetricConfigs.METRIC_RECORDING_LEVEL_CONFIG)))
                .timeWindow(
                        config.values().getLong(MetricConfigs.METRIC_SAMPLE_WINDOW_MS_CONFIG), TimeUnit.MILLISECONDS);
    }

    Metrics registry() {
        return registry;
    }

    @Override
    public void close() {
        AppInfoParser.unregisterAppInfo(PREFIX, nodeId, registry);
        registry.close();
    }
}
