package io.gregor.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.Test;

class LiveGroupSettingsTest {
    private static final String INTERVAL = GroupCoordinatorConfig.CONSUMER_GROUP_ASSIGNMENT_INTERVAL_MS_CONFIG;
    private static final NodeConfig START = node(Map.of());

    private final LiveGroupSettings settings = new LiveGroupSettings(START);

    /** As the coordinator keeps it from its start on. */
    private final GroupCoordinatorConfig kept = new GroupCoordinatorConfig(settings.values());

    private PreparedChange prepare(Map<String, String> after) {
        return settings.prepare(new ConfigChange(START, node(after), after.keySet(), false));
    }

    @Test
    void coordinatorSeesTheNewValuesOnceTheyAreSwitchedOn() {
        PreparedChange change = prepare(Map.of(INTERVAL, "2500"));
        assertThat(kept.consumerGroupAssignmentIntervalMs()).isEqualTo(1000);

        change.commit();

        assertThat(kept.consumerGroupAssignmentIntervalMs()).isEqualTo(2500);
    }

    @Test
    void valueOutOfItsBoundsIsRefused() {
        assertThatThrownBy(() -> prepare(Map.of(INTERVAL, "60000")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(INTERVAL);
        assertThat(kept.consumerGroupAssignmentIntervalMs()).isEqualTo(1000);
    }

    @Test
    void ownsNothingOfGroupsThatAreNotServed() {
        assertThat(settings.owns(INTERVAL)).isTrue();
        assertThat(settings.owns(GroupCoordinatorConfig.SHARE_GROUP_ASSIGNMENT_INTERVAL_MS_CONFIG))
                .isFalse();
        assertThat(settings.owns(GroupCoordinatorConfig.CONSUMER_GROUP_SESSION_TIMEOUT_MS_CONFIG))
                .isFalse();
    }

    private static NodeConfig node(Map<String, String> settings) {
        Map<String, String> properties = new HashMap<>(settings);
        properties.putAll(Map.of("process.roles", "broker", "node.id", "1", "controller.listener.names", "C"));
        AbstractKafkaConfig values =
                new AbstractKafkaConfig(AbstractKafkaConfig.CONFIG_DEF, properties, Map.of(), false) {};
        return (NodeConfig) Proxy.newProxyInstance(
                NodeConfig.class.getClassLoader(),
                new Class<?>[] {NodeConfig.class},
                (proxy, method, arguments) -> method.getName().equals("values") ? values : null);
    }
}
