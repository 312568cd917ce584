package io.gregor.controller;

import io.gregor.controller.internal.ConfigPolicies;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.plugin.NamedService;
import io.gregor.internal.plugin.RankedServices;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The policies of bundles, and those that keys name. Shared: any thread. */
@Component(
        configurationPid = Configurations.CONTROLLER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = PolicyServices.class)
public final class PolicyServices {
    private static final Logger LOGGER = LoggerFactory.getLogger(PolicyServices.class);

    private final NodeConfig config;
    private final ConfigPolicies policies;

    /** Before any has come. */
    @Activate
    public PolicyServices(@Reference NodeConfig config) {
        this.config = config;
        this.policies = new ConfigPolicies(config.values());
    }

    /** Those that count. */
    ConfigPolicies policies() {
        return policies;
    }

    /** A policy for new topics. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "changeCreateTopic")
    void bindCreateTopic(ServiceReference<CreateTopicPolicy> reference, CreateTopicPolicy policy) {
        take(policies.createTopic(), reference, policy);
    }

    void changeCreateTopic(ServiceReference<CreateTopicPolicy> reference) {
        policies.createTopic().change(reference);
    }

    void unbindCreateTopic(ServiceReference<CreateTopicPolicy> reference) {
        policies.createTopic().remove(reference);
    }

    /** A policy for changed settings. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "changeAlterConfig")
    void bindAlterConfig(ServiceReference<AlterConfigPolicy> reference, AlterConfigPolicy policy) {
        take(policies.alterConfig(), reference, policy);
    }

    void changeAlterConfig(ServiceReference<AlterConfigPolicy> reference) {
        policies.alterConfig().change(reference);
    }

    void unbindAlterConfig(ServiceReference<AlterConfigPolicy> reference) {
        policies.alterConfig().remove(reference);
    }

    private <T extends Configurable> void take(RankedServices<T> services, ServiceReference<T> reference, T policy) {
        try {
            NamedService.configure(reference, policy, config.values());
            services.add(reference, policy);
            LOGGER.info("policy is used: policy={}", policy.getClass().getName());
        } catch (RuntimeException | LinkageError fault) {
            LOGGER.error(
                    "policy is not used, since it does not take the node's values: policy={}",
                    policy.getClass().getName(),
                    fault);
        }
    }
}
