package io.gregor.storage;

import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.storage.LogDirectories;
import io.gregor.internal.storage.Logs;
import io.gregor.storage.internal.LogStore;
import io.gregor.storage.internal.LogsPublisher;
import java.io.IOException;
import java.util.Dictionary;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker's logs as a component: locks the directories and offers {@link LogDirectories} when activated, loads the logs at
 * the first metadata image and then offers {@link Logs}, closes them cleanly when deactivated. Owned by DS.
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class BrokerLogs {
    private static final Logger LOGGER = LoggerFactory.getLogger(BrokerLogs.class);
    private static final long REMOVAL_TIMEOUT_MS = 30_000;

    private final BundleContext context;
    private final MetadataFeed feed;
    private @Nullable LogStore logs;
    private @Nullable LogsPublisher publisher;
    private @Nullable ServiceRegistration<LogDirectories> directoriesService;
    private final AtomicReference<@Nullable ServiceRegistration<Logs>> logsService = new AtomicReference<>();
    private volatile boolean closed;

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
        this.feed = feed;
        EngineThread.run(() -> open(node, identity, faults, metadata));
    }

    private void open(NodeConfig node, NodeIdentity identity, NodeFaults faults, KRaftMetadataCache metadata) {
        LogStore store;
        try {
            store = new LogStore(node, identity, metadata, Time.SYSTEM, directory -> faults.fatal("storage")
                    .handleFault(
                            "shutdown broker because all log dirs have failed, the last one: directory=" + directory));
        } catch (IOException | KafkaException e) {
            faults.refuseStart("log.dirs=" + node.logDirs() + " cannot be used: " + e.getMessage());
            return;
        }
        logs = store;
        directoriesService = context.registerService(LogDirectories.class, store, role());
        publisher = new LogsPublisher(store, faults, () -> EngineThread.daemon("announce-Logs", () -> offer(store))
                .start());
        var unused = feed.install(publisher).whenComplete((installed, failure) -> {
            if (failure != null) {
                faults.fatal("storage").handleFault("metadata publisher could not be installed", failure);
            }
        });
    }

    /** On a thread of its own: those who waited for the service are activated, and the loader does not wait for them. */
    private void offer(LogStore store) {
        try {
            logsService.set(context.registerService(Logs.class, store, role()));
        } catch (IllegalStateException e) {
            LOGGER.debug("bundle is stopped already: {}", e.getMessage());
        }
        if (closed) {
            unregister(logsService.getAndSet(null));
        }
    }

    private static Dictionary<String, ?> role() {
        return FrameworkUtil.asDictionary(Map.of(Role.PROPERTY, Role.BROKER.property()));
    }

    /** Withdraws the services, then closes the logs. */
    @Deactivate
    public void close() {
        LogsPublisher installed = publisher;
        if (installed != null) {
            awaitRemoval(installed);
        }
        closed = true;
        unregister(logsService.getAndSet(null));
        unregister(directoriesService);
        LogStore store = logs;
        if (store != null) {
            EngineThread.run(store::close);
        }
    }

    private void awaitRemoval(LogsPublisher installed) {
        try {
            feed.remove(installed).get(REMOVAL_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.warn("metadata publisher was not removed: publisher={}", installed.name(), e);
        }
    }

    private static void unregister(@Nullable ServiceRegistration<?> service) {
        if (service != null) {
            service.unregister();
        }
    }
}
