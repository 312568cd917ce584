package io.gregor.controller.internal;

import io.gregor.internal.node.NodeConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.controller.ConfigurationValidator;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.server.metrics.ClientMetricsConfigs;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * What the controller checks before settings go into the log; errors and texts are Kafka's. Values of broker settings are
 * checked by the broker that is asked, before it forwards. Immutable.
 */
public final class ConfigRules implements ConfigurationValidator {
    private final NodeConfig config;
    private final Supplier<Map<String, Object>> topicDefaults;

    /** Rules of a node, where topics' own settings stand over these defaults. */
    public ConfigRules(NodeConfig config, Supplier<Map<String, Object>> topicDefaults) {
        this.config = config;
        this.topicDefaults = topicDefaults;
    }

    @Override
    public void validate(ConfigResource resource) {
        switch (resource.type()) {
            case TOPIC -> requireTopicName(resource.name());
            case BROKER -> requireBrokerName(resource.name());
            default -> throw unknownType(resource);
        }
    }

    @Override
    public void validate(ConfigResource resource, Map<String, String> newConfigs, Map<String, String> existingConfigs) {
        switch (resource.type()) {
            case TOPIC -> {
                requireTopicName(resource.name());
                LogConfig.validate(
                        existingConfigs,
                        withoutNulls(newConfigs, "topic"),
                        topicDefaults.get(),
                        new RemoteLogManagerConfig(config.values()).isRemoteStorageSystemEnabled());
            }
            case BROKER -> requireBrokerName(resource.name());
            case CLIENT_METRICS ->
                ClientMetricsConfigs.validate(resource.name(), withoutNulls(newConfigs, "client metrics"));
            case GROUP -> {
                requireGroupName(resource.name());
                GroupConfig.validate(
                        withoutNulls(newConfigs, "group"),
                        new GroupCoordinatorConfig(config.values()),
                        new ShareGroupConfig(config.values()));
            }
            default -> throw unknownType(resource);
        }
    }

    private static void requireTopicName(String name) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Default topic resources are not allowed.");
        }
        Topic.validate(name);
    }

    private static void requireBrokerName(String name) {
        if (name.isEmpty()) {
            return;
        }
        int brokerId;
        try {
            brokerId = Integer.parseInt(name);
        } catch (NumberFormatException e) {
            throw new InvalidRequestException("Unable to parse broker name as a base 10 number.", e);
        }
        if (brokerId < 0) {
            throw new InvalidRequestException("Invalid negative broker ID.");
        }
    }

    private static void requireGroupName(String name) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Default group resources are not allowed.");
        }
    }

    private static Map<String, String> withoutNulls(Map<String, String> configs, String resource) {
        TreeSet<String> nulls = new TreeSet<>();
        Map<String, String> values = new HashMap<>();
        configs.forEach((key, value) -> {
            if (value == null) {
                nulls.add(key);
            } else {
                values.put(key, value);
            }
        });
        if (!nulls.isEmpty()) {
            throw new InvalidConfigurationException(
                    "Null value not supported for " + resource + " configs: " + String.join(",", nulls));
        }
        return values;
    }

    private static InvalidRequestException unknownType(ConfigResource resource) {
        return new InvalidRequestException("Unknown resource type " + resource.type());
    }
}
