package io.gregor.storage.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.change.ThreadCounts;
import io.gregor.internal.node.NodeConfig;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig.DynamicRemoteLogConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;

/** The settings of remote storage that change while the broker runs: Kafka's, with Kafka's rules. Shared: any thread. */
public final class LiveRemoteSettings implements LiveSettings {
    private static final Set<String> KEYS = DynamicRemoteLogConfig.RECONFIGURABLE_CONFIGS;

    private static final Map<String, ObjLongConsumer<RemoteLogManager>> AMOUNTS = Map.of(
            RemoteLogManagerConfig.REMOTE_LOG_INDEX_FILE_CACHE_TOTAL_SIZE_BYTES_PROP,
            RemoteLogManager::resizeCacheSize,
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_COPY_MAX_BYTES_PER_SECOND_PROP,
            RemoteLogManager::updateCopyQuota,
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_FETCH_MAX_BYTES_PER_SECOND_PROP,
            RemoteLogManager::updateFetchQuota);

    private static final Map<String, ObjIntConsumer<RemoteLogManager>> POOLS = Map.of(
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_COPIER_THREAD_POOL_SIZE_PROP,
            RemoteLogManager::resizeCopierThreadPool,
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_EXPIRATION_THREAD_POOL_SIZE_PROP,
            RemoteLogManager::resizeExpirationThreadPool,
            RemoteLogManagerConfig.REMOTE_LOG_MANAGER_FOLLOWER_THREAD_POOL_SIZE_PROP,
            RemoteLogManager::resizeFollowerThreadPool,
            RemoteLogManagerConfig.REMOTE_LOG_READER_THREADS_PROP,
            RemoteLogManager::resizeReaderThreadPool);

    private final RemoteLogStore remote;
    private volatile NodeConfig current;

    /** The settings of remote logs that were made with the values of the start. */
    public LiveRemoteSettings(NodeConfig start, RemoteLogStore remote) {
        this.current = start;
        this.remote = remote;
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
        return PreparedChange.of(() -> apply(change.after()));
    }

    private static void check(ConfigChange change) {
        AbstractKafkaConfig wanted = change.after().values();
        for (String key : change.keys()) {
            if (AMOUNTS.containsKey(key) && wanted.getLong(key) < 1) {
                throw new ConfigException("Dynamic remote log manager config update validation failed for " + key + "="
                        + wanted.getLong(key) + ", value should be at least 1");
            }
            if (POOLS.containsKey(key)) {
                ThreadCounts.check(key, change.before().values().getInt(key), wanted.getInt(key));
            }
        }
    }

    private void apply(NodeConfig after) {
        AbstractKafkaConfig before = current.values();
        AbstractKafkaConfig now = after.values();
        current = after;
        AMOUNTS.forEach((key, resize) -> {
            if (!before.getLong(key).equals(now.getLong(key))) {
                resize.accept(remote.manager(), now.getLong(key));
            }
        });
        POOLS.forEach((key, resize) -> {
            if (!before.getInt(key).equals(now.getInt(key))) {
                resize.accept(remote.manager(), now.getInt(key));
            }
        });
        remote.change(new RemoteLogManagerConfig(now));
    }
}
