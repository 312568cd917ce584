package io.gregor.groups;

import io.gregor.groups.internal.ShareCoordinatorSearch;
import io.gregor.groups.internal.SharePersister;
import io.gregor.internal.metadata.BrokerClients;
import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.util.timer.Timer;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Keeps and finds the state of share partitions with their coordinators, on this broker or others: a {@link Persister}
 * service with the property {@code role}, and so the {@link Timer} of all that concerns share groups. Owned by the
 * component's life cycle.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {})
public final class SharePersistence {
    private final SharePersister persister;
    private final Announcement<Persister> announcement;
    private final Announcement<Timer> timerAnnouncement;

    /** Starts the persister's threads. */
    @Activate
    public SharePersistence(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference BrokerClients clients,
            @Reference(target = "(view=applied)") KRaftMetadataCache metadata,
            @Reference(target = "(role=broker)") ShareCoordinator coordinator) {
        ShareCoordinatorSearch search =
                new ShareCoordinatorSearch(metadata, coordinator::partitionFor, config.interBrokerListener());
        persister = EngineThread.call(() -> SharePersister.of(config.values(), clients, search));
        announcement = new Announcement<>(context, Role.BROKER, Persister.class, persister.kafka());
        timerAnnouncement = new Announcement<>(context, Role.BROKER, Timer.class, persister.timer());
        timerAnnouncement.publish();
        announcement.publish();
    }

    /** Ends the persister after its users. */
    @Deactivate
    public void stop() {
        announcement.close();
        timerAnnouncement.close();
        persister.close();
    }
}
