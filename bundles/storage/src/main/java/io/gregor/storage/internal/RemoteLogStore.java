package io.gregor.storage.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.registration.AdvertisedListeners;
import io.gregor.internal.storage.Logs;
import io.gregor.internal.storage.RemoteLogs;
import io.gregor.internal.transport.BoundListeners;
import java.io.IOException;
import java.util.Optional;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.log.remote.metadata.storage.BrokerReadyCallback;
import org.apache.kafka.server.log.remote.metadata.storage.ClassLoaderAwareRemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.ClassLoaderAwareRemoteStorageManager;
import org.apache.kafka.server.log.remote.storage.PluggedRemoteLogManager;
import org.apache.kafka.server.log.remote.storage.PluggedRemoteLogManager.Node;
import org.apache.kafka.server.log.remote.storage.PluggedRemoteLogManager.Plugins;
import org.apache.kafka.server.log.remote.storage.RemoteLogManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.apache.kafka.storage.internals.log.LogManager;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's remote log manager over the broker's logs, with the plugins that the configuration names: of Kafka's own class path
 * keys, of Kafka's libraries, or of a bundle in {@code deploy/}. Shared: any thread; {@link #close} is called once.
 */
public final class RemoteLogStore implements RemoteLogs, AutoCloseable {
    private final RemoteLogManager manager;
    private volatile long fetchMaxWaitMs;
    private volatile long listOffsetsTimeoutMs;

    /**
     * Makes and configures the plugins; may take as long as they do.
     *
     * @param loader finds the classes of plugins
     * @throws RuntimeException what the plugins throw
     */
    public RemoteLogStore(
            NodeConfig config, String clusterId, Logs logs, Metrics metrics, BoundListeners bound, ClassLoader loader)
            throws IOException {
        RemoteLogManagerConfig remote = new RemoteLogManagerConfig(config.values());
        takeWaits(remote);
        LogManager local = logs.manager();
        manager = PluggedRemoteLogManager.start(
                new Plugins(storage(remote, loader), metadata(remote, loader)),
                remote,
                new Node(
                        config.nodeId(),
                        config.logDirs().get(0).toString(),
                        clusterId,
                        endpoint(remote.remoteLogMetadataManagerListenerName(), bound)),
                Time.SYSTEM,
                local::getLog,
                (partition, offset) ->
                        local.getLog(partition).ifPresent(log -> log.updateLogStartOffsetFromRemoteTier(offset)),
                logs.topicStats(),
                metrics);
    }

    private static @Nullable RemoteStorageManager storage(RemoteLogManagerConfig remote, ClassLoader loader) {
        Class<? extends RemoteStorageManager> found = find(
                remote.remoteStorageManagerClassName(),
                remote.remoteStorageManagerClassPath(),
                RemoteStorageManager.class,
                loader);
        return found == null
                ? null
                : new ClassLoaderAwareRemoteStorageManager(Utils.newInstance(found), found.getClassLoader());
    }

    private static @Nullable RemoteLogMetadataManager metadata(RemoteLogManagerConfig remote, ClassLoader loader) {
        Class<? extends RemoteLogMetadataManager> found = find(
                remote.remoteLogMetadataManagerClassName(),
                remote.remoteLogMetadataManagerClassPath(),
                RemoteLogMetadataManager.class,
                loader);
        return found == null
                ? null
                : new ClassLoaderAwareRemoteLogMetadataManager(Utils.newInstance(found), found.getClassLoader());
    }

    /** Null for what Kafka finds by itself: with a class path of its own, or among its libraries. */
    private static <T> @Nullable Class<? extends T> find(
            String name, @Nullable String classPath, Class<T> type, ClassLoader loader) {
        if (classPath != null && !classPath.isBlank()) {
            return null;
        }
        try {
            Class<? extends T> found = Class.forName(name.strip(), true, loader).asSubclass(type);
            return found.getClassLoader() == type.getClassLoader() ? null : found;
        } catch (ClassNotFoundException e) {
            throw new KafkaException(
                    "class " + name + " is neither in Kafka's libraries nor in a bundle in deploy/", e);
        }
    }

    private static Optional<Endpoint> endpoint(@Nullable String listener, BoundListeners bound) throws IOException {
        if (listener == null) {
            return Optional.empty();
        }
        ListenerName wanted = ListenerName.normalised(listener);
        return AdvertisedListeners.of(bound.advertised(), Optional.empty()).listeners().values().stream()
                .filter(endpoint -> ListenerName.normalised(endpoint.listener()).equals(wanted))
                .findFirst();
    }

    /** The broker takes requests: plugins that are its clients may begin. May take as long as they do. */
    public void onBrokerReady() {
        if (manager.remoteLogMetadataManager() instanceof BrokerReadyCallback waiting) {
            waiting.onBrokerReady();
        }
    }

    /** The later values count from now on. */
    public void change(AbstractKafkaConfig before, AbstractKafkaConfig now) {
        ManagerSettings.change(manager, before, now);
        takeWaits(new RemoteLogManagerConfig(now));
    }

    private void takeWaits(RemoteLogManagerConfig remote) {
        fetchMaxWaitMs = remote.remoteFetchMaxWaitMs();
        listOffsetsTimeoutMs = remote.remoteListOffsetsRequestTimeoutMs();
    }

    @Override
    public RemoteLogManager manager() {
        return manager;
    }

    @Override
    public long fetchMaxWaitMs() {
        return fetchMaxWaitMs;
    }

    @Override
    public long listOffsetsTimeoutMs() {
        return listOffsetsTimeoutMs;
    }

    /** Ends the tasks and closes the plugins. */
    @Override
    public void close() {
        manager.close();
    }
}
