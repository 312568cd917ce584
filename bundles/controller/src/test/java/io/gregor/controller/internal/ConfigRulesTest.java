package io.gregor.controller.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.node.NodeConfig;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.ConfigResource.Type;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.junit.jupiter.api.Test;

class ConfigRulesTest {
    private static final AbstractKafkaConfig VALUES = new AbstractKafkaConfig(
            AbstractKafkaConfig.CONFIG_DEF,
            Map.of("node.id", "1", "process.roles", "controller", "controller.listener.names", "CONTROLLER"),
            Map.of(),
            false) {};

    private final Map<String, Object> defaults = new HashMap<>(new LogConfig(Map.of()).originals());
    private final ConfigRules rules = new ConfigRules(
            (NodeConfig) Proxy.newProxyInstance(
                    NodeConfig.class.getClassLoader(),
                    new Class<?>[] {NodeConfig.class},
                    (proxy, method, arguments) -> VALUES),
            () -> defaults);

    @Test
    void acceptsWhatTopicsBrokersAndGroupsTake() {
        assertThatCode(() -> {
                    validate(Type.TOPIC, "t", Map.of("retention.ms", "1000"));
                    validate(Type.BROKER, "", Map.of("whatever", "brokers check"));
                    validate(Type.GROUP, "g", Map.of("consumer.session.timeout.ms", "50000"));
                })
                .doesNotThrowAnyException();
    }

    @Test
    void refusesAValueThatATopicDoesNotTake() {
        assertThatThrownBy(() -> validate(Type.TOPIC, "t", Map.of("retention.ms", "soon")))
                .hasMessageContaining("retention.ms");
        assertThatThrownBy(() -> validate(Type.TOPIC, "t", Map.of("nonsense", "1")))
                .isInstanceOf(InvalidConfigurationException.class);
    }

    @Test
    void checksATopicTogetherWithTheDefaultsOfTheMoment() {
        Map<String, String> ofTopic = Map.of("max.compaction.lag.ms", "1000");
        assertThatCode(() -> validate(Type.TOPIC, "t", ofTopic)).doesNotThrowAnyException();

        defaults.put("min.compaction.lag.ms", 5000L);

        assertThatThrownBy(() -> validate(Type.TOPIC, "t", ofTopic)).hasMessageContaining("min.compaction.lag.ms");
    }

    @Test
    void refusesNullValues() {
        Map<String, String> nulls = new HashMap<>();
        nulls.put("retention.ms", null);

        assertThatThrownBy(() -> validate(Type.TOPIC, "t", nulls))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("Null value not supported for topic configs: retention.ms");
    }

    @Test
    void refusesNamesThatResourcesOfTheTypeDoNotHave() {
        assertThatThrownBy(() -> validate(Type.TOPIC, "", Map.of())).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> validate(Type.TOPIC, "a b", Map.of())).isInstanceOf(InvalidTopicException.class);
        assertThatThrownBy(() -> validate(Type.BROKER, "one", Map.of())).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> validate(Type.BROKER, "-1", Map.of())).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> validate(Type.GROUP, "", Map.of())).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> validate(Type.BROKER_LOGGER, "1", Map.of()))
                .hasMessage("Unknown resource type BROKER_LOGGER");
    }

    private void validate(Type type, String name, Map<String, String> configs) {
        rules.validate(new ConfigResource(type, name), configs, Map.of());
    }
}
