package io.gregor.groups;

import io.gregor.groups.internal.Coordinators;
import io.gregor.groups.internal.ToldShareCoordinator;
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
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.apache.kafka.coordinator.share.ShareCoordinatorConfig;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * The share coordinator of this broker (KIP-932), from the first metadata image on a {@link ShareCoordinator} service with
 * the property {@code role}. Owned by the component's life cycle.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {})
public final class ShareCoordination {
    private static final String PART = "share coordinator";

    private final ShareCoordinator coordinator;
    private final Announcement<ShareCoordinator> announcement;
    private final Following following;

    /** Builds the coordinator; the first image starts it up. */
    @Activate
    public ShareCoordination(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeFaults faults,
            @Reference Metrics metrics,
            @Reference MetadataFeed feed,
            @Reference Replicas replicas,
            @Reference LiveGroupSettings settings) {
        Coordinators coordinators = new Coordinators(config.nodeId(), settings.values(), metrics, replicas);
        this.coordinator = EngineThread.call(coordinators::shares);
        this.announcement = new Announcement<>(context, Role.BROKER, ShareCoordinator.class, coordinator);
        CoordinatorNews news = new CoordinatorNews(
                config.nodeId(),
                Topic.SHARE_GROUP_STATE_TOPIC_NAME,
                new ShareCoordinatorConfig(config.values()).shareCoordinatorStateTopicNumPartitions(),
                new ToldShareCoordinator(coordinator),
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
