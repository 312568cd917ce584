package org.apache.kafka.server.log.remote.storage;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * Kafka's remote log manager with plugins that were found where its own class loader does not look: in other bundles. It is
 * here, and in Kafka's package, because the two methods that make the plugins are visible in it alone, and are called while
 * the manager is constructed: by the thread that has put the plugins into {@link #FOUND}. Shared: any thread.
 */
public final class PluggedRemoteLogManager extends RemoteLogManager {
    private static final ThreadLocal<Plugins> FOUND = new ThreadLocal<>();

    /**
     * The plugins, made and not configured.
     *
     * @param storage null to have Kafka make it, from {@code remote.log.storage.manager.class.path}
     * @param metadata null to have Kafka make it, from its own classes or a class path
     */
    public record Plugins(RemoteStorageManager storage, RemoteLogMetadataManager metadata) {}

    private PluggedRemoteLogManager(
            RemoteLogManagerConfig config,
            Node node,
            Time time,
            Function<TopicPartition, Optional<UnifiedLog>> logs,
            BiConsumer<TopicPartition, Long> logStartMoved,
            BrokerTopicStats topicStats,
            Metrics metrics)
            throws IOException {
        super(
                config,
                node.id(),
                node.logDir(),
                node.clusterId(),
                time,
                logs,
                logStartMoved,
                topicStats,
                metrics,
                node.metadataEndpoint());
    }

    /**
     * Who has the logs.
     *
     * @param logDir absolute path of the directory for the cache of remote indexes
     * @param metadataEndpoint where the clients of the metadata's topic reach this node; empty if their own settings tell it
     */
    public record Node(int id, String logDir, String clusterId, Optional<Endpoint> metadataEndpoint) {}

    /**
     * Makes and starts a manager with these plugins, which it configures, and closes at its end.
     *
     * @param logStartMoved told the new start of a log when remote segments have been deleted
     * @throws RuntimeException what the plugins throw
     */
    public static RemoteLogManager start(
            Plugins plugins,
            RemoteLogManagerConfig config,
            Node node,
            Time time,
            Function<TopicPartition, Optional<UnifiedLog>> logs,
            BiConsumer<TopicPartition, Long> logStartMoved,
            BrokerTopicStats topicStats,
            Metrics metrics)
            throws IOException {
        FOUND.set(plugins);
        try {
            return new PluggedRemoteLogManager(config, node, time, logs, logStartMoved, topicStats, metrics);
        } finally {
            FOUND.remove();
        }
    }

    @Override
    RemoteStorageManager createRemoteStorageManager() {
        RemoteStorageManager found = FOUND.get().storage();
        return found == null ? super.createRemoteStorageManager() : found;
    }

    @Override
    RemoteLogMetadataManager createRemoteLogMetadataManager() {
        RemoteLogMetadataManager found = FOUND.get().metadata();
        return found == null ? super.createRemoteLogMetadataManager() : found;
    }
}
