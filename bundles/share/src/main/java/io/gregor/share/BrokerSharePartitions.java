package io.gregor.share;

import io.gregor.internal.metadata.BrokerClients;
import io.gregor.internal.metadata.Following;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.share.SharePartitions;
import io.gregor.share.internal.ShareParts;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.server.network.ConnectionDisconnectListener;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.util.timer.Timer;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * The share partitions of this broker as a component: {@link SharePartitions}, and who is to be told of connections that have
 * ended. Owned by DS.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {})
public final class BrokerSharePartitions {
    private final ShareParts parts;
    private final Announcement<SharePartitions> announcement;
    private final Announcement<ConnectionDisconnectListener> disconnections;
    private final Following following;

    /** Puts the parts together; the first image offers them. */
    @Activate
    public BrokerSharePartitions(
            BundleContext context,
            @Reference NodeConfig node,
            @Reference NodeFaults faults,
            @Reference MetadataFeed feed,
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") Persister persister,
            @Reference(target = "(role=broker)") GroupConfigManager groups,
            @Reference(target = "(role=broker)") Timer timer,
            @Reference(target = "(view=applied)") KRaftMetadataCache metadata,
            @Reference BrokerClients clients) {
        ShareParts.Services services =
                new ShareParts.Services(node, replicas, persister, groups, metadata, clients, timer);
        this.parts = EngineThread.call(() -> new ShareParts(services, Time.SYSTEM));
        this.announcement = new Announcement<>(context, Role.BROKER, SharePartitions.class, parts.partitions());
        this.disconnections =
                new Announcement<>(context, Role.BROKER, ConnectionDisconnectListener.class, parts.disconnections());
        this.following = new Following(feed, faults, "share partitions", parts.follower());
        disconnections.publish();
        following.start(announcement::publish);
    }

    /** Withdraws the services, then ends what waits. */
    @Deactivate
    public void close() {
        announcement.close();
        disconnections.close();
        following.close();
        EngineThread.run(parts::close);
    }
}
