package io.gregor.controller.internal;

import io.gregor.internal.plugin.NamedService;
import io.gregor.internal.plugin.RankedServices;
import java.util.Map;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.server.policy.CreateTopicPolicy;

/**
 * The operator's own rules for new topics and changed settings, which come and go while the controller runs: each call asks
 * the one that counts now. Without one everything is accepted, unless the configuration names one: what it has not looked at
 * is refused then. Shared: services come on any thread; the policies are called on the controller's thread.
 */
public final class ConfigPolicies {
    private final RankedServices<CreateTopicPolicy> createTopic = new RankedServices<>();
    private final RankedServices<AlterConfigPolicy> alterConfig = new RankedServices<>();
    private final NamedService createTopicKey;
    private final NamedService alterConfigKey;

    /** Without any policy yet. */
    public ConfigPolicies(AbstractKafkaConfig config) {
        createTopicKey = NamedService.of(config, ServerLogConfigs.CREATE_TOPIC_POLICY_CLASS_NAME_CONFIG);
        alterConfigKey = NamedService.of(config, ServerLogConfigs.ALTER_CONFIG_POLICY_CLASS_NAME_CONFIG);
    }

    /** Those for new topics. */
    public RankedServices<CreateTopicPolicy> createTopic() {
        return createTopic;
    }

    /** Those for changed settings. */
    public RankedServices<AlterConfigPolicy> alterConfig() {
        return alterConfig;
    }

    /** What the quorum controller asks about a new topic. */
    public CreateTopicPolicy createTopicCalls() {
        return new CreateTopicCalls();
    }

    /** What the quorum controller asks about changed settings. */
    public AlterConfigPolicy alterConfigCalls() {
        return new AlterConfigCalls();
    }

    private static void requireUnnamed(NamedService named) {
        if (named.isConfigured()) {
            throw new PolicyViolationException(
                    "the policy is not there that this controller is configured with: " + named + "; see deploy/");
        }
    }

    /** Immutable. */
    private final class CreateTopicCalls implements CreateTopicPolicy {
        @Override
        public void validate(CreateTopicPolicy.RequestMetadata topic) {
            CreateTopicPolicy policy = createTopic.first();
            if (policy == null) {
                requireUnnamed(createTopicKey);
            } else {
                policy.validate(topic);
            }
        }

        @Override
        public void configure(Map<String, ?> values) {
            // each service has been
        }

        @Override
        public void close() {
            // each service belongs to its bundle
        }
    }

    /** Immutable. */
    private final class AlterConfigCalls implements AlterConfigPolicy {
        @Override
        public void validate(AlterConfigPolicy.RequestMetadata change) {
            AlterConfigPolicy policy = alterConfig.first();
            if (policy == null) {
                requireUnnamed(alterConfigKey);
            } else {
                policy.validate(change);
            }
        }

        @Override
        public void configure(Map<String, ?> values) {
            // each service has been
        }

        @Override
        public void close() {
            // each service belongs to its bundle
        }
    }
}
