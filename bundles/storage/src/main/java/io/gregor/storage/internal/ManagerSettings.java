package io.gregor.storage.internal;

import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;

/** Which settings Kafka's remote log manager takes over while it runs, and how. Stateless. */
final class ManagerSettings {
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

    private ManagerSettings() {}

    /** Tells the manager what is different. */
    static void change(RemoteLogManager manager, AbstractKafkaConfig before, AbstractKafkaConfig now) {
        AMOUNTS.forEach((key, resize) -> {
            if (!before.getLong(key).equals(now.getLong(key))) {
                resize.accept(manager, now.getLong(key));
            }
        });
        POOLS.forEach((key, resize) -> {
            if (!before.getInt(key).equals(now.getInt(key))) {
                resize.accept(manager, now.getInt(key));
            }
        });
    }
}
