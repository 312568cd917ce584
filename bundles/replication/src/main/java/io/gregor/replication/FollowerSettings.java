package io.gregor.replication;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.change.ThreadCounts;
import io.gregor.internal.node.Configurations;
import java.util.Set;
import org.apache.kafka.server.config.ReplicationConfigs;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;

/**
 * The settings of followers. A broker that leads all its partitions has no fetchers that would have to be told of a change.
 * Immutable.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        property = "role=broker")
public final class FollowerSettings implements LiveSettings {
    private static final Set<String> KEYS = Set.of(
            ReplicationConfigs.NUM_REPLICA_FETCHERS_CONFIG,
            ReplicationConfigs.FOLLOWER_FETCH_LAST_TIERED_OFFSET_ENABLE_CONFIG);

    @Override
    public boolean owns(String key) {
        return KEYS.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        String fetchers = ReplicationConfigs.NUM_REPLICA_FETCHERS_CONFIG;
        if (!change.isReplay() && change.keys().contains(fetchers)) {
            ThreadCounts.check(
                    fetchers,
                    change.before().values().getInt(fetchers),
                    change.after().values().getInt(fetchers));
        }
        return PreparedChange.of(() -> {});
    }
}
