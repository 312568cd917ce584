package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.controller.internal.ConfigPolicies;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.junit.jupiter.api.Test;

class PolicyServicesTest {
    private static final CreateTopicPolicy.RequestMetadata TOPIC =
            new CreateTopicPolicy.RequestMetadata("t", 1, (short) 1, null, Map.of());
    private static final AlterConfigPolicy.RequestMetadata CHANGE = new AlterConfigPolicy.RequestMetadata(
            new ConfigResource(ConfigResource.Type.TOPIC, "t"), Map.of("retention.ms", "1"));
    private static final FakeNodeConfig NAMED =
            FakeNodeConfig.of(Map.of("create.topic.policy.class.name", NoTopics.class.getName()));

    @Test
    void acceptsEverythingWithoutPolicies() {
        ConfigPolicies policies = new PolicyServices(FakeNodeConfig.of()).policies();

        assertThatCode(() -> policies.createTopicCalls().validate(TOPIC)).doesNotThrowAnyException();
        assertThatCode(() -> policies.alterConfigCalls().validate(CHANGE)).doesNotThrowAnyException();
    }

    @Test
    void refusesWhatANamedPolicyThatIsNotThereCouldNotLookAt() {
        ConfigPolicies policies = new PolicyServices(NAMED).policies();

        assertThatThrownBy(() -> policies.createTopicCalls().validate(TOPIC))
                .isInstanceOf(PolicyViolationException.class)
                .hasMessageContaining("create.topic.policy.class.name=" + NoTopics.class.getName());
        assertThatCode(() -> policies.alterConfigCalls().validate(CHANGE)).doesNotThrowAnyException();
    }

    @Test
    void asksThePolicyThatIsThereAndNoneAfterIt() {
        PolicyServices services = new PolicyServices(FakeNodeConfig.of());
        FakeReference<CreateTopicPolicy> reference = FakeReference.of(7);
        CreateTopicPolicy calls = services.policies().createTopicCalls();

        services.bindCreateTopic(reference, new NoTopics());

        assertThatThrownBy(() -> calls.validate(TOPIC)).hasMessage("no topics");
        services.unbindCreateTopic(reference);
        assertThatCode(() -> calls.validate(TOPIC)).doesNotThrowAnyException();
    }

    @Test
    void givesAPolicyOfABundleTheNodesValuesOnce() {
        PolicyServices services = new PolicyServices(NAMED);
        NoTopics ofItsOwnAccord = new NoTopics();
        NoTopics ofAKey = new NoTopics();

        services.bindCreateTopic(FakeReference.of(7), ofItsOwnAccord);
        services.bindCreateTopic(
                new FakeReference<>(8, 0, 1, "plugins", Map.of("gregor.config.key", "create.topic.policy.class.name")),
                ofAKey);

        assertThat(ofItsOwnAccord.values).hasSize(1);
        assertThat(ofItsOwnAccord.values.get(0)).isEqualTo(NAMED.values().originals());
        assertThat(ofAKey.values).isEmpty();
    }

    @Test
    void leavesAPolicyAsideThatDoesNotTakeTheValues() {
        PolicyServices services = new PolicyServices(FakeNodeConfig.of());

        services.bindAlterConfig(FakeReference.of(7), new Unwilling());

        assertThatCode(() -> services.policies().alterConfigCalls().validate(CHANGE))
                .doesNotThrowAnyException();
    }

    /** A policy that lets no topic be made. */
    public static final class NoTopics implements CreateTopicPolicy {
        final List<Map<String, ?>> values = new ArrayList<>();

        @Override
        public void validate(CreateTopicPolicy.RequestMetadata topic) {
            throw new PolicyViolationException("no topics");
        }

        @Override
        public void configure(Map<String, ?> configs) {
            values.add(configs);
        }

        @Override
        public void close() {}
    }

    private static final class Unwilling implements AlterConfigPolicy {
        @Override
        public void validate(AlterConfigPolicy.RequestMetadata change) {
            throw new PolicyViolationException("never");
        }

        @Override
        public void configure(Map<String, ?> configs) {
            throw new IllegalArgumentException("no values");
        }

        @Override
        public void close() {}
    }
}
