package io.gregor.controller;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.Configurations;
import java.util.Set;
import org.apache.kafka.server.config.ReplicationConfigs;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;

/**
 * The settings that the quorum controller reads from the metadata log by itself whenever it needs them: nothing is left to
 * be done when they change. Immutable.
 */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class MetadataDrivenSettings implements LiveSettings {
    private static final Set<String> KEYS = Set.of(
            ReplicationConfigs.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, ServerLogConfigs.MIN_IN_SYNC_REPLICAS_CONFIG);

    @Override
    public boolean owns(String key) {
        return KEYS.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        return PreparedChange.of(() -> {});
    }
}
