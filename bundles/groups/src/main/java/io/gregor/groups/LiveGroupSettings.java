package io.gregor.groups;

import io.gregor.groups.internal.LiveValues;
import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.share.ShareCoordinatorConfig;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/**
 * The settings of the group and the share coordinator that change while they run: those of Kafka.
 * There before the coordinators, so that they start with what is stored. Shared: any thread; changes come from the reconfiguration thread.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {LiveSettings.class, LiveGroupSettings.class},
        property = "role=broker")
public final class LiveGroupSettings implements LiveSettings {
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
        return GroupCoordinatorConfig.RECONFIGURABLE_CONFIGS.contains(key)
                || ShareCoordinatorConfig.RECONFIGURABLE_CONFIGS.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        try {
            new GroupCoordinatorConfig(change.after().values());
            new ShareCoordinatorConfig(change.after().values());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
        return PreparedChange.of(() -> values.change(change.after().values()));
    }
}
