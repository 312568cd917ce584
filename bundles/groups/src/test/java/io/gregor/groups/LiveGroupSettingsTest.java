package io.gregor.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import io.gregor.testing.FakeNodeConfig;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.share.ShareCoordinatorConfig;
import org.junit.jupiter.api.Test;

class LiveGroupSettingsTest {
    private static final String INTERVAL = GroupCoordinatorConfig.CONSUMER_GROUP_ASSIGNMENT_INTERVAL_MS_CONFIG;
    private static final NodeConfig START = FakeNodeConfig.of();

    private final LiveGroupSettings settings = new LiveGroupSettings(START);

    /** As the coordinator keeps it from its start on. */
    private final GroupCoordinatorConfig kept = new GroupCoordinatorConfig(settings.values());

    private PreparedChange prepare(Map<String, String> after) {
        return settings.prepare(new ConfigChange(START, FakeNodeConfig.of(after), after.keySet(), false));
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
    void ownsWhatKafkaChangesWhileItRunsForAllKindsOfGroups() {
        assertThat(settings.owns(INTERVAL)).isTrue();
        assertThat(settings.owns(GroupCoordinatorConfig.SHARE_GROUP_ASSIGNMENT_INTERVAL_MS_CONFIG))
                .isTrue();
        assertThat(settings.owns(GroupCoordinatorConfig.STREAMS_GROUP_ASSIGNMENT_INTERVAL_MS_CONFIG))
                .isTrue();
        assertThat(settings.owns(ShareCoordinatorConfig.CACHED_BUFFER_MAX_BYTES_CONFIG))
                .isTrue();
        assertThat(settings.owns(GroupCoordinatorConfig.CONSUMER_GROUP_SESSION_TIMEOUT_MS_CONFIG))
                .isFalse();
    }
}
