package io.gregor.node.internal;

import io.gregor.internal.plugin.DeployFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.metrics.MetricConfigs;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Looks, when the node starts, whether the classes are there that keys name and services are made of. Immutable. The context
 * class loader must be that of plugins' classes.
 */
final class NamedClasses {
    private static final Map<String, Class<?>> TYPES = new TreeMap<>(Map.of(
            ServerConfigs.AUTHORIZER_CLASS_NAME_CONFIG, Authorizer.class,
            ServerLogConfigs.CREATE_TOPIC_POLICY_CLASS_NAME_CONFIG, CreateTopicPolicy.class,
            ServerLogConfigs.ALTER_CONFIG_POLICY_CLASS_NAME_CONFIG, AlterConfigPolicy.class,
            MetricConfigs.METRIC_REPORTER_CLASSES_CONFIG, MetricsReporter.class));

    private NamedClasses() {}

    static void check(Settings settings, NodeKafkaConfig config, Path home) {
        TYPES.forEach((key, type) -> names(config.values().get(key))
                .forEach(name -> require(settings, key, name, type, DeployFolder.of(home))));
    }

    /** Refuses a name of no class, or of one that does not implement what the key is for. */
    static void require(Settings settings, String key, String name, Class<?> type, DeployFolder deploy) {
        Class<?> named;
        try {
            named = Class.forName(name, false, Utils.getContextOrKafkaClassLoader());
        } catch (ClassNotFoundException | LinkageError nowhere) {
            throw settings.refusal(
                    key,
                    name,
                    "must name a class of Kafka's libraries or of a bundle in deploy/, "
                            + name
                            + " is nowhere; "
                            + deploy.content());
        }
        if (!type.isAssignableFrom(named)) {
            throw settings.refusal(key, name, "must name a class that implements " + type.getName());
        }
    }

    private static List<String> names(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        if (value instanceof Class<?> named) {
            return List.of(named.getName());
        }
        return value == null || value.toString().isBlank()
                ? List.of()
                : List.of(value.toString().strip());
    }
}
