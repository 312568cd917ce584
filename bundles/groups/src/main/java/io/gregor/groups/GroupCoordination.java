package io.gregor.groups;

import io.gregor.groups.internal.Announcement;
import io.gregor.groups.internal.CoordinatorNews;
import io.gregor.groups.internal.Coordinators;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.replication.Replicas;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The group coordinator of this broker, from the first metadata image on a {@link GroupCoordinator} service with the
 * property {@code role}. Owned by the component's life cycle.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {})
public final class GroupCoordination {
    private static final Logger LOGGER = LoggerFactory.getLogger(GroupCoordination.class);
    private static final long LAST_UPDATE_TIMEOUT_MS = 10_000;

    private final MetadataFeed feed;
    private final GroupCoordinator coordinator;
    private final CoordinatorNews news;
    private final Announcement<GroupCoordinator> announcement;
    private final CompletableFuture<Void> installation;

    /** Builds the coordinator; the first image starts it up. */
    @Activate
    public GroupCoordination(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeFaults faults,
            @Reference Metrics metrics,
            @Reference MetadataFeed feed,
            @Reference Replicas replicas) {
        this.feed = feed;
        this.coordinator = EngineThread.call(() -> Coordinators.build(config, metrics, replicas));
        this.announcement = new Announcement<>(
                context,
                GroupCoordinator.class,
                coordinator,
                FrameworkUtil.asDictionary(Map.of(Role.PROPERTY, Role.BROKER.property())));
        this.news = new CoordinatorNews(
                config.nodeId(),
                coordinator,
                config.values().getInt(GroupCoordinatorConfig.OFFSETS_TOPIC_PARTITIONS_CONFIG),
                faults.nonFatal("group coordinator"),
                announcement::publish);
        this.installation = feed.install(news).whenComplete((installed, fault) -> {
            if (fault != null) {
                faults.fatal("group coordinator").handleFault("group coordinator gets no metadata", fault);
            }
        });
    }

    /** Ends the news before the coordinator, which would refuse them. */
    @Deactivate
    public void stop() {
        announcement.withdraw();
        try {
            installation.thenCompose(installed -> feed.remove(news)).get(LAST_UPDATE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException fault) {
            LOGGER.warn("metadata still comes to the group coordinator while it stops", fault);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        coordinator.shutdown();
    }
}
