package io.gregor.groups;

import io.gregor.groups.internal.LiveValues;
import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/**
 * The settings of the group coordinator that change while it runs: those of Kafka that concern classic and consumer groups.
 * There before the coordinator, so that it starts with what is stored. Shared: any thread; changes come from the reconfiguration thread.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {LiveSettings.class, LiveGroupSettings.class},
        property = "role=broker")
public final class LiveGroupSettings implements LiveSettings {
    private static final Set<String> KEYS = Set.of(
            GroupCoordinatorConfig.CACHED_BUFFER_MAX_BYTES_CONFIG,
            GroupCoordinatorConfig.CONSUMER_GROUP_ASSIGNMENT_INTERVAL_MS_CONFIG,
            GroupCoordinatorConfig.CONSUMER_GROUP_ASSIGNOR_OFFLOAD_ENABLE_CONFIG);

    private final LiveValues values;

    /** Begins with the values of the start. */
    @Activate
    public LiveGroupSettings(@Reference NodeConfig start) {
        values = new LiveValues(start.values());
    }

    /** The values of the moment, whenever they are read. */
    public AbstractConfig values() {
        return values;
    }

    @Override
    public boolean owns(String key) {
        return KEYS.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        try {
            new GroupCoordinatorConfig(change.after().values());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
        return PreparedChange.of(() -> values.change(change.after().values()));
    }
}
