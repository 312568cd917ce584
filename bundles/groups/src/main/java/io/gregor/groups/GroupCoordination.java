package io.gregor.groups;

import io.gregor.groups.internal.Coordinators;
import io.gregor.groups.internal.Coordinators.GroupParts;
import io.gregor.groups.internal.LiveAuthorizer;
import io.gregor.groups.internal.PartitionEnds;
import io.gregor.groups.internal.ToldGroupCoordinator;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.BrokerClients;
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
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.util.PartitionMetadataClient;
import org.apache.kafka.server.util.timer.Timer;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * The group coordinator of this broker, from the first metadata image on a {@link GroupCoordinator} service with the
 * property {@code role}, and so the {@link GroupConfigManager} with the configs of groups. Owned by the component's life cycle.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {})
public final class GroupCoordination {
    private static final String PART = "group coordinator";

    private final GroupCoordinator coordinator;
    private final PartitionMetadataClient ends;
    private final Announcement<GroupCoordinator> announcement;
    private final Announcement<GroupConfigManager> configsAnnouncement;
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
            @Reference LiveGroupSettings settings,
            @Reference LateVerification verification,
            @Reference BrokerClients clients,
            @Reference(target = "(view=applied)") KRaftMetadataCache metadata,
            @Reference(target = "(role=broker)") Persister persister,
            @Reference(target = "(role=broker)") Timer timer,
            @Reference(target = "(role=broker)") Authorization authorization) {
        GroupConfigManager configs = new GroupConfigManager(
                new GroupCoordinatorConfig(settings.values()), new ShareGroupConfig(config.values()));
        this.ends = EngineThread.call(() -> PartitionEnds.of(metadata, clients, config.interBrokerListener(), timer));
        GroupParts parts = new GroupParts(
                configs,
                persister,
                Plugin.wrapInstance(
                        new LiveAuthorizer(authorization), metrics, ServerConfigs.AUTHORIZER_CLASS_NAME_CONFIG),
                ends,
                verification);
        Coordinators coordinators = new Coordinators(config.nodeId(), settings.values(), metrics, replicas);
        this.coordinator = EngineThread.call(() -> coordinators.groups(parts));
        this.announcement = new Announcement<>(context, Role.BROKER, GroupCoordinator.class, coordinator);
        this.configsAnnouncement = new Announcement<>(context, Role.BROKER, GroupConfigManager.class, configs);
        CoordinatorNews news = new CoordinatorNews(
                config.nodeId(),
                Topic.GROUP_METADATA_TOPIC_NAME,
                config.values().getInt(GroupCoordinatorConfig.OFFSETS_TOPIC_PARTITIONS_CONFIG),
                new ToldGroupCoordinator(coordinator),
                faults.nonFatal(PART));
        this.following = new Following(feed, faults, PART, news);
        following.start(this::announce);
    }

    private void announce() {
        configsAnnouncement.publish();
        announcement.publish();
    }

    /** Ends the news before the coordinator, which would refuse them; it closes the configs itself. */
    @Deactivate
    public void stop() {
        announcement.close();
        configsAnnouncement.close();
        following.close();
        coordinator.shutdown();
        Utils.closeQuietly(ends, "partition metadata client");
    }
}
