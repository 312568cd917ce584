package io.gregor.storage;

import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.metadata.Following;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.storage.LogDirectories;
import io.gregor.internal.storage.Logs;
import io.gregor.storage.internal.LogStore;
import io.gregor.storage.internal.LogsFollower;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * The broker's logs as a component: locks the directories and offers {@link LogDirectories} when activated, loads the logs at
 * the first metadata image and then offers {@link Logs}, closes them cleanly when deactivated. Their settings may change from
 * the start. Owned by DS.
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class BrokerLogs {
    private static final String PART = "storage";

    private final BundleContext context;
    private final List<ServiceRegistration<?>> services = new ArrayList<>();
    private @Nullable LogStore logs;
    private @Nullable Following following;
    private @Nullable Announcement<Logs> announcement;

    /** Locks the directories and waits for metadata on the loader's thread. */
    @Activate
    public BrokerLogs(
            BundleContext context,
            @Reference NodeConfig node,
            @Reference NodeIdentity identity,
            @Reference NodeFaults faults,
            @Reference MetadataFeed feed,
            @Reference(target = "(view=applied)") KRaftMetadataCache metadata) {
        this.context = context;
        LogStore store = EngineThread.call(() -> open(node, identity, faults, metadata));
        if (store != null) {
            logs = store;
            offer(LogDirectories.class, store);
            offer(LiveSettings.class, store.liveSettings());
            Announcement<Logs> loaded = new Announcement<>(context, Role.BROKER, Logs.class, store);
            announcement = loaded;
            following = new Following(feed, faults, PART, new LogsFollower(store, faults.nonFatal(PART)));
            following.start(loaded::publish);
        }
    }

    private static @Nullable LogStore open(
            NodeConfig node, NodeIdentity identity, NodeFaults faults, KRaftMetadataCache metadata) {
        try {
            return new LogStore(node, identity, metadata, Time.SYSTEM, directory -> faults.fatal(PART)
                    .handleFault(
                            "shutdown broker because all log dirs have failed, the last one: directory=" + directory));
        } catch (IOException | KafkaException e) {
            faults.refuseStart("log.dirs=" + node.logDirs() + " cannot be used: " + e.getMessage());
            return null;
        }
    }

    private <S> void offer(Class<S> type, S service) {
        services.add(context.registerService(
                type, service, FrameworkUtil.asDictionary(Map.of(Role.PROPERTY, Role.BROKER.property()))));
    }

    /** Withdraws the services, then closes the logs. */
    @Deactivate
    public void close() {
        if (announcement != null) {
            announcement.close();
        }
        if (following != null) {
            following.close();
        }
        services.forEach(ServiceRegistration::unregister);
        LogStore store = logs;
        if (store != null) {
            EngineThread.run(store::close);
        }
    }
}
