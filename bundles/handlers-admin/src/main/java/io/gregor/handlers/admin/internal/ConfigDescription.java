package io.gregor.handlers.admin.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.ConfigHelperUtils;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.metrics.ClientMetricsConfigs;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Describes the configuration of one resource: values with their source, type, synonyms and documentation; the value of a
 * secret never. Immutable.
 */
public final class ConfigDescription {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConfigDescription.class);

    private final DescribedNode node;
    private final Supplier<MetadataCache> metadata;

    /** Describes what this node runs with, and what is stored in the metadata. */
    public ConfigDescription(DescribedNode node, Supplier<MetadataCache> metadata) {
        this.node = node;
        this.metadata = metadata;
    }

    /** The configuration of a resource, or the error that keeps from telling it. */
    public DescribeConfigsResult describe(
            DescribeConfigsResource resource, boolean includeSynonyms, boolean includeDocumentation) {
        try {
            BrokerSettings settings = new BrokerSettings(node.start(), node.live());
            return describe(resource, new ConfigEntries(settings, node.isLive(), includeSynonyms, includeDocumentation))
                    .setResourceName(resource.resourceName())
                    .setResourceType(resource.resourceType());
        } catch (ApiException refused) {
            ApiError error = ApiError.fromThrowable(refused);
            LOGGER.debug(
                    "configuration not described resourceType={} resource={} error={}",
                    resource.resourceType(),
                    resource.resourceName(),
                    error);
            return new DescribeConfigsResult()
                    .setResourceName(resource.resourceName())
                    .setResourceType(resource.resourceType())
                    .setErrorCode(error.error().code())
                    .setErrorMessage(error.message());
        }
    }

    private DescribeConfigsResult describe(DescribeConfigsResource resource, ConfigEntries entries) {
        ConfigResource.Type type = ConfigResource.Type.forId(resource.resourceType());
        return switch (type) {
            case TOPIC -> topic(resource, entries);
            case BROKER -> broker(resource, entries);
            case BROKER_LOGGER -> brokerLogger(resource);
            case CLIENT_METRICS -> clientMetrics(resource, entries);
            case GROUP -> group(resource, entries);
            case UNKNOWN -> throw new InvalidRequestException("Unsupported resource type: " + type);
        };
    }

    private DescribeConfigsResult topic(DescribeConfigsResource resource, ConfigEntries entries) {
        String topic = resource.resourceName();
        Topic.validate(topic);
        if (!metadata.get().contains(topic)) {
            return new DescribeConfigsResult().setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        Properties overrides = metadata.get().topicConfig(topic);
        LogConfig log = LogConfig.fromProps(node.live().current().topicDefaults(), overrides);
        return ConfigHelperUtils.createResponseConfig(
                resource, log, log.overriddenConfigs, (name, value) -> entries.topic(log, overrides, name, value));
    }

    private DescribeConfigsResult broker(DescribeConfigsResource resource, ConfigEntries entries) {
        String broker = resource.resourceName();
        if (isEmpty(broker)) {
            return ConfigHelperUtils.createResponseConfig(
                    resource, entries.settings().storedForAll(), entries::storedForAll);
        }
        if (brokerId(broker) != nodeId()) {
            throw new InvalidRequestException(
                    "Unexpected broker id, expected " + nodeId() + " or empty string, but received " + broker);
        }
        List<DescribeConfigsResourceResult> lines = new ArrayList<>();
        lines.addAll(all(resource, entries.settings().values(), entries::broker).configs());
        lines.addAll(ConfigHelperUtils.createResponseConfig(
                        resource, entries.settings().storedAside(), entries::broker)
                .configs());
        return new DescribeConfigsResult().setConfigs(lines);
    }

    private DescribeConfigsResult brokerLogger(DescribeConfigsResource resource) {
        String broker = resource.resourceName();
        if (isEmpty(broker)) {
            throw new InvalidRequestException("Broker id must not be empty");
        }
        if (brokerId(broker) != nodeId()) {
            throw new InvalidRequestException("Unexpected broker id, expected " + nodeId() + " but received " + broker);
        }
        return ConfigHelperUtils.createResponseConfig(resource, node.levels().levels(), ConfigEntries::logger);
    }

    private DescribeConfigsResult clientMetrics(DescribeConfigsResource resource, ConfigEntries entries) {
        if (isEmpty(resource.resourceName())) {
            throw new InvalidRequestException("Client metrics subscription name must not be empty");
        }
        Properties overrides =
                metadata.get().config(new ConfigResource(ConfigResource.Type.CLIENT_METRICS, resource.resourceName()));
        ClientMetricsConfigs values =
                ClientMetricsConfigs.fromProps(ClientMetricsConfigs.defaultConfigsMap(), overrides);
        return all(resource, values, (name, value) -> entries.clientMetrics(values, overrides, name, value));
    }

    private DescribeConfigsResult group(DescribeConfigsResource resource, ConfigEntries entries) {
        if (isEmpty(resource.resourceName())) {
            throw new InvalidRequestException("Group name must not be empty");
        }
        Properties overrides = metadata.get().groupConfig(resource.resourceName());
        AbstractKafkaConfig defaults = entries.settings().values();
        GroupConfig values =
                GroupConfig.fromProps(defaults.extractGroupConfigMap(new GroupCoordinatorConfig(defaults)), overrides);
        return all(resource, values, (name, value) -> entries.group(values, overrides, name, value));
    }

    private static DescribeConfigsResult all(
            DescribeConfigsResource resource, AbstractConfig values, ConfigEntries.Entry entry) {
        return ConfigHelperUtils.createResponseConfig(
                resource, values, values.originals().keySet(), entry::of);
    }

    private int nodeId() {
        return node.start().nodeId();
    }

    private static boolean isEmpty(String name) {
        return name == null || name.isEmpty();
    }

    private static int brokerId(String name) {
        try {
            return Integer.parseInt(name);
        } catch (NumberFormatException notANumber) {
            throw new InvalidRequestException("Broker id must be an integer, but it is: " + name, notANumber);
        }
    }
}
