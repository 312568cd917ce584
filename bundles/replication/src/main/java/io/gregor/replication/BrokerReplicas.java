package io.gregor.replication;

import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.storage.LogDirectories;
import io.gregor.internal.storage.Logs;
import io.gregor.replication.internal.ReplicaStore;
import io.gregor.replication.internal.ReplicasPublisher;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
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
 * The broker's partitions as a component: follows the metadata from its activation on, and offers {@link Replicas} once the
 * first image is applied. Owned by DS.
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class BrokerReplicas {
    private static final Logger LOGGER = LoggerFactory.getLogger(BrokerReplicas.class);
    private static final long REMOVAL_TIMEOUT_MS = 30_000;

    private final MetadataFeed feed;
    private final ReplicaStore replicas;
    private final ReplicasPublisher publisher;
    private final AtomicReference<@Nullable ServiceRegistration<Replicas>> service = new AtomicReference<>();
    private volatile boolean closed;

    /** Asks for the metadata; the partitions come with it. */
    @Activate
    public BrokerReplicas(
            BundleContext context,
            @Reference NodeConfig node,
            @Reference NodeFaults faults,
            @Reference Logs logs,
            @Reference LogDirectories directories,
            @Reference MetadataFeed feed,
            @Reference ControllerChannels channels,
            @Reference(target = "(view=applied)") KRaftMetadataCache metadata) {
        this.feed = feed;
        this.replicas = EngineThread.call(
                () -> new ReplicaStore(node, logs, directories::brokerEpoch, metadata, channels, Time.SYSTEM));
        this.publisher = new ReplicasPublisher(
                replicas, faults, () -> EngineThread.daemon("announce-Replicas", () -> offer(context))
                        .start());
        var unused = feed.install(publisher).whenComplete((installed, failure) -> {
            if (failure != null) {
                faults.fatal("replication").handleFault("metadata publisher could not be installed", failure);
            }
        });
    }

    /** On a thread of its own: those who waited for the service are activated, and the loader does not wait for them. */
    private void offer(BundleContext context) {
        try {
            service.set(context.registerService(
                    Replicas.class,
                    replicas,
                    FrameworkUtil.asDictionary(Map.of(Role.PROPERTY, Role.BROKER.property()))));
        } catch (IllegalStateException e) {
            LOGGER.debug("bundle is stopped already: {}", e.getMessage());
        }
        if (closed) {
            withdraw();
        }
    }

    private void withdraw() {
        ServiceRegistration<Replicas> offered = service.getAndSet(null);
        if (offered != null) {
            offered.unregister();
        }
    }

    /** Withdraws the service, then stops what waits and writes the high watermarks. */
    @Deactivate
    public void close() {
        try {
            feed.remove(publisher).get(REMOVAL_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.warn("metadata publisher was not removed: publisher={}", publisher.name(), e);
        }
        closed = true;
        withdraw();
        EngineThread.run(replicas::close);
    }
}
