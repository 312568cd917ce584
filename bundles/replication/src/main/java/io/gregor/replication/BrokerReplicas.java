package io.gregor.replication;

import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.metadata.Following;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.quota.ReplicationQuotas;
import io.gregor.internal.replication.LogDirMoves;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.storage.LogDirectories;
import io.gregor.internal.storage.Logs;
import io.gregor.internal.storage.RemoteLogs;
import io.gregor.replication.internal.MoveQuota;
import io.gregor.replication.internal.ReplicaStore;
import io.gregor.replication.internal.ReplicasFollower;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * The broker's partitions as a component: follows the metadata from its activation on, and offers {@link Replicas} once the
 * first image is applied. Owned by DS.
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class BrokerReplicas {
    private final ReplicaStore replicas;
    private final Announcement<Replicas> announcement;
    private final Announcement<LogDirMoves> movesAnnouncement;
    private final Following following;

    @Reference(
            target = "(role=broker)",
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile @Nullable ReplicationQuotas quotas;

    /** Asks for the metadata; the partitions come with it. */
    @Activate
    public BrokerReplicas(
            BundleContext context,
            @Reference NodeConfig node,
            @Reference NodeFaults faults,
            @Reference Logs logs,
            @Reference(
                            name = "remoteLogs",
                            cardinality = ReferenceCardinality.OPTIONAL,
                            policyOption = ReferencePolicyOption.RELUCTANT)
                    @Nullable
                    RemoteLogs remote,
            @Reference LogDirectories directories,
            @Reference MetadataFeed feed,
            @Reference ControllerChannels channels,
            @Reference(target = "(view=applied)") KRaftMetadataCache metadata) {
        this.replicas = EngineThread.call(() -> new ReplicaStore(
                node,
                logs,
                remote,
                directories::brokerEpoch,
                metadata,
                channels,
                new MoveQuota(() -> quotas),
                Time.SYSTEM));
        this.announcement = new Announcement<>(context, Role.BROKER, Replicas.class, replicas);
        this.following = new Following(feed, faults, "replication", new ReplicasFollower(replicas));
        this.movesAnnouncement = new Announcement<>(context, Role.BROKER, LogDirMoves.class, replicas.moves());
        following.start(() -> {
            announcement.publish();
            movesAnnouncement.publish();
        });
    }

    /** Withdraws the service, then stops what waits and writes the high watermarks. */
    @Deactivate
    public void close() {
        movesAnnouncement.close();
        announcement.close();
        following.close();
        EngineThread.run(replicas::close);
    }
}
