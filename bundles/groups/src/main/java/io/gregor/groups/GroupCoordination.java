package io.gregor.groups;

import io.gregor.groups.internal.Coordinators;
import io.gregor.groups.internal.ToldGroupCoordinator;
import io.gregor.internal.metadata.CoordinatorNews;
import io.gregor.internal.metadata.Following;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.replication.Replicas;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

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
    private static final String PART = "group coordinator";

    private final GroupCoordinator coordinator;
    private final Announcement<GroupCoordinator> announcement;
    private final Following following;

    /** Builds the coordinator; the first image starts it up. */
    @Activate
    public GroupCoordination(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeFaults faults,
            @Reference Metrics metrics,
            @Reference MetadataFeed feed,
            @Reference Replicas replicas,
            @Reference LiveGroupSettings settings) {
        this.coordinator = EngineThread.call(() -> Coordinators.build(config, settings.values(), metrics, replicas));
        this.announcement = new Announcement<>(context, Role.BROKER, GroupCoordinator.class, coordinator);
        CoordinatorNews news = new CoordinatorNews(
                config.nodeId(),
                Topic.GROUP_METADATA_TOPIC_NAME,
                config.values().getInt(GroupCoordinatorConfig.OFFSETS_TOPIC_PARTITIONS_CONFIG),
                new ToldGroupCoordinator(coordinator),
                faults.nonFatal(PART));
        this.following = new Following(feed, faults, PART, news);
        following.start(announcement::publish);
    }

    /** Ends the news before the coordinator, which would refuse them. */
    @Deactivate
    public void stop() {
        announcement.close();
        following.close();
        coordinator.shutdown();
    }
}
