package io.gregor.controller.internal;

import java.util.Optional;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.server.policy.CreateTopicPolicy;

/**
 * The operator's own rules for new topics and changed settings. Immutable; the policies are called on the controller's
 * thread.
 *
 * @param createTopic of {@code create.topic.policy.class.name}
 * @param alterConfig of {@code alter.config.policy.class.name}
 */
public record ConfigPolicies(Optional<CreateTopicPolicy> createTopic, Optional<AlterConfigPolicy> alterConfig)
        implements AutoCloseable {
    /**
     * Makes and configures the policies that are named.
     *
     * @throws org.apache.kafka.common.KafkaException if a class is not there or cannot be made
     */
    public static ConfigPolicies of(AbstractKafkaConfig config) {
        return new ConfigPolicies(
                Optional.ofNullable(config.getConfiguredInstance(
                        ServerLogConfigs.CREATE_TOPIC_POLICY_CLASS_NAME_CONFIG, CreateTopicPolicy.class)),
                Optional.ofNullable(config.getConfiguredInstance(
                        ServerLogConfigs.ALTER_CONFIG_POLICY_CLASS_NAME_CONFIG, AlterConfigPolicy.class)));
    }

    @Override
    public void close() {
        createTopic.ifPresent(policy -> Utils.closeQuietly(policy, "create topic policy"));
        alterConfig.ifPresent(policy -> Utils.closeQuietly(policy, "alter config policy"));
    }
}
