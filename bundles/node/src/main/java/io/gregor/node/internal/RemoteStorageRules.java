package io.gregor.node.internal;

import io.gregor.internal.node.Role;
import io.gregor.internal.plugin.DeployFolder;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManagerConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.jspecify.annotations.Nullable;

/**
 * What remote storage needs to start: its plugins' classes, and a way for the clients of the metadata's topic to this node.
 * Immutable. The context class loader must be that of plugins' classes.
 */
final class RemoteStorageRules {
    private final Settings settings;
    private final RemoteLogManagerConfig remote;
    private final Path home;

    private RemoteStorageRules(Settings settings, RemoteLogManagerConfig remote, Path home) {
        this.settings = settings;
        this.remote = remote;
        this.home = home;
    }

    static void check(Settings settings, NodeKafkaConfig config, List<Endpoint> brokerListeners, Path home) {
        RemoteLogManagerConfig remote = new RemoteLogManagerConfig(config);
        if (!remote.isRemoteStorageSystemEnabled() || !config.roles().contains(Role.BROKER)) {
            return;
        }
        RemoteStorageRules rules = new RemoteStorageRules(settings, remote, home);
        rules.requireClass(
                RemoteLogManagerConfig.REMOTE_STORAGE_MANAGER_CLASS_NAME_PROP,
                remote.remoteStorageManagerClassName(),
                remote.remoteStorageManagerClassPath(),
                RemoteStorageManager.class);
        rules.requireClass(
                RemoteLogManagerConfig.REMOTE_LOG_METADATA_MANAGER_CLASS_NAME_PROP,
                remote.remoteLogMetadataManagerClassName(),
                remote.remoteLogMetadataManagerClassPath(),
                RemoteLogMetadataManager.class);
        rules.requireWayToThisNode(brokerListeners.stream()
                .map(endpoint -> ListenerName.normalised(endpoint.listener()))
                .toList());
    }

    private void requireClass(String key, @Nullable String name, @Nullable String classPath, Class<?> type) {
        if (name == null || name.isBlank()) {
            throw settings.refusal(
                    key,
                    "",
                    "must name a class that implements " + type.getName() + ", since "
                            + RemoteLogManagerConfig.REMOTE_LOG_STORAGE_SYSTEM_ENABLE_PROP + "=true");
        }
        if (classPath == null || classPath.isBlank()) {
            NamedClasses.require(settings, key, name.strip(), type, DeployFolder.of(home));
        }
    }

    private void requireWayToThisNode(List<ListenerName> listeners) {
        String key = RemoteLogManagerConfig.REMOTE_LOG_METADATA_MANAGER_LISTENER_NAME_PROP;
        String name = remote.remoteLogMetadataManagerListenerName();
        if (name != null) {
            if (!listeners.contains(ListenerName.normalised(name))) {
                throw settings.refusal(
                        key, name, "must be the name of one of the broker's listeners: " + names(listeners));
            }
            return;
        }
        String servers =
                TopicBasedRemoteLogMetadataManagerConfig.REMOTE_LOG_METADATA_COMMON_CLIENT_PREFIX + "bootstrap.servers";
        boolean isOfTopic =
                TopicBasedRemoteLogMetadataManager.class.getName().equals(remote.remoteLogMetadataManagerClassName());
        if (isOfTopic && !remote.remoteLogMetadataManagerProps().containsKey(servers)) {
            throw settings.refusal(
                    key,
                    "",
                    "must be the name of one of the broker's listeners, which the clients of __remote_log_metadata use: "
                            + names(listeners) + "; or give their " + remote.remoteLogMetadataManagerPrefix()
                            + servers);
        }
    }

    private static List<String> names(List<ListenerName> listeners) {
        return listeners.stream().map(ListenerName::value).toList();
    }
}
