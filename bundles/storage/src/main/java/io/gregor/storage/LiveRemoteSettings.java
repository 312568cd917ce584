package io.gregor.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.change.ThreadCounts;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.storage.internal.RemoteLogStore;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig.DynamicRemoteLogConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/**
 * The settings of remote storage that change while the broker runs: Kafka's, with Kafka's rules. Without remote storage, or
 * before its plugins are ready, they are only kept. Shared: any thread.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {LiveSettings.class, LiveRemoteSettings.class},
        property = "role=broker")
public final class LiveRemoteSettings implements LiveSettings {
    private static final Set<String> KEYS = DynamicRemoteLogConfig.RECONFIGURABLE_CONFIGS;

    private static final Set<String> AMOUNTS = Set.of(
            RemoteLogManagerConfig.REMOTE_LOG_INDEX_FILE_CACHE_TOTAL_SIZE_BYTES_PROP,
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_COPY_MAX_BYTES_PER_SECOND_PROP,
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_FETCH_MAX_BYTES_PER_SECOND_PROP);

    private static final Set<String> POOLS = Set.of(
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_COPIER_THREAD_POOL_SIZE_PROP,
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_EXPIRATION_THREAD_POOL_SIZE_PROP,
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_FOLLOWER_THREAD_POOL_SIZE_PROP,
            RemoteLogManagerConfig.REMOTE_LOG_READER_THREADS_PROP);

    @GuardedBy("this")
    private AbstractKafkaConfig current;

    @GuardedBy("this")
    private @Nullable RemoteLogStore served;

    /** Begins with the values of the start. */
    @Activate
    public LiveRemoteSettings(@Reference NodeConfig start) {
        this.current = start.values();
    }

    /** From now on changes go to this store, at once those since the values that it was made with. */
    public synchronized void serve(RemoteLogStore store, NodeConfig madeWith) {
        store.change(madeWith.values(), current);
        served = store;
    }

    /** The store is about to be closed. */
    public synchronized void leave() {
        served = null;
    }

    @Override
    public boolean owns(String key) {
        return KEYS.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        if (!change.isReplay()) {
            check(change);
        }
        return PreparedChange.of(() -> apply(change.after().values()));
    }

    private static void check(ConfigChange change) {
        AbstractKafkaConfig wanted = change.after().values();
        for (String key : change.keys()) {
            if (AMOUNTS.contains(key) && wanted.getLong(key) < 1) {
                throw new ConfigException("Dynamic remote log manager config update validation failed for " + key + "="
                        + wanted.getLong(key) + ", value should be at least 1");
            }
            if (POOLS.contains(key)) {
                ThreadCounts.check(key, change.before().values().getInt(key), wanted.getInt(key));
            }
        }
    }

    private synchronized void apply(AbstractKafkaConfig now) {
        if (served != null) {
            served.change(current, now);
        }
        current = now;
    }
}
