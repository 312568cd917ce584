package io.gregor.share.internal;

import io.gregor.internal.metadata.BrokerClients;
import io.gregor.internal.metadata.MetadataFollower;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.replication.QuietTimer;
import io.gregor.internal.replication.Replicas;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.common.ShareVersion;
import org.apache.kafka.server.network.ConnectionDisconnectListener;
import org.apache.kafka.server.share.dlq.DefaultShareGroupDLQManager;
import org.apache.kafka.server.share.dlq.NoOpShareGroupDLQManager;
import org.apache.kafka.server.share.dlq.ShareGroupDLQManager;
import org.apache.kafka.server.share.metrics.ShareGroupMetrics;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.share.session.ShareSessionCache;
import org.apache.kafka.server.util.timer.SystemTimerReaper;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.storage.internals.log.LogConfig;

/** The share partitions with all that they are made of, put together. Owned by its component. */
public final class ShareParts implements AutoCloseable {
    /** What is used of the services that others offer; {@code timer} is that of all that concerns share groups. */
    public record Services(
            NodeConfig node,
            Replicas replicas,
            Persister persister,
            GroupConfigManager groups,
            MetadataCache metadata,
            BrokerClients clients,
            Timer timer) {}

    private static final String LOCK_TIMER = "share-group-lock-timeout";

    private final ShareSessionCache cache;
    private final ShareFetches fetches;
    private final QuietTimer lockDeadlines = new QuietTimer(LOCK_TIMER);
    private final Timer locks;
    private final ShareGroupMetrics metrics;
    private final ShareGroupDLQManager deadLetters;
    private final LedSharePartitions partitions;
    private final Runnable watch;

    /** Puts them together; from now on fetches that wait are woken. */
    public ShareParts(Services services, Time time) {
        ShareGroupConfig config = new ShareGroupConfig(services.node().values());
        cache = new ShareSessionCache(config.shareGroupMaxShareSessions());
        ShareSessions sessions = new ShareSessions(cache);
        metrics = new ShareGroupMetrics(time);
        deadLetters = deadLetters(config, services, metrics, time);
        fetches = new ShareFetches(
                services.node().nodeId(), config.shareFetchPurgatoryPurgeIntervalRequests(), sessions::isOpen);
        locks = new SystemTimerReaper(LOCK_TIMER + "-reaper", lockDeadlines);
        ShareSettings settings = new ShareSettings(
                config,
                services.groups(),
                () -> shareVersion(services.metadata().features().finalizedFeatures()));
        partitions = new LedSharePartitions(
                new ShareContext(
                        services.replicas(),
                        services.persister(),
                        settings,
                        deadLetters,
                        metrics,
                        locks,
                        time,
                        fetches.wakes()),
                sessions,
                fetches);
        cache.registerShareGroupListener(partitions);
        watch = services.replicas().whenVisible(fetches::visible);
    }

    /** Of the cluster that has these levels of features. */
    static ShareVersion shareVersion(Map<String, Short> finalizedLevels) {
        return ShareVersion.fromFeatureLevel(finalizedLevels.getOrDefault(ShareVersion.FEATURE_NAME, (short) 0));
    }

    private static ShareGroupDLQManager deadLetters(
            ShareGroupConfig config, Services services, ShareGroupMetrics metrics, Time time) {
        String name = config.shareGroupDLQManagerClassName();
        if (name.equals(DefaultShareGroupDLQManager.class.getName())) {
            NodeConfig node = services.node();
            return DefaultShareGroupDLQManager.instance(
                    services.clients().open("ShareGroupDLQManager"),
                    new DeadLetterTopics(
                            services.metadata(),
                            services.groups(),
                            node.interBrokerListener(),
                            own -> LogConfig.fromProps(node.topicDefaults(), own)),
                    time,
                    services.timer(),
                    metrics,
                    new DeadLetterReads(services.replicas(), time));
        }
        if (name.isEmpty() || name.equals(NoOpShareGroupDLQManager.class.getName())) {
            return new NoOpShareGroupDLQManager();
        }
        throw new ConfigException(ShareGroupConfig.SHARE_GROUP_DLQ_MANAGER_CLASS_NAME_CONFIG + "=" + name
                + " must be " + DefaultShareGroupDLQManager.class.getName() + ", or "
                + NoOpShareGroupDLQManager.class.getName() + " to keep no dead letters");
    }

    /** What handlers use. */
    public LedSharePartitions partitions() {
        return partitions;
    }

    /** Is told of changes of the metadata. */
    public MetadataFollower follower() {
        return new ShareVersionFollower(partitions);
    }

    /** Is told of connections that have ended: the sessions of theirs end with them. */
    public ConnectionDisconnectListener disconnections() {
        return cache.connectionDisconnectListener();
    }

    /** Ends the waiting fetches, then the partitions; what is not written down is not. */
    @Override
    public void close() {
        watch.run();
        partitions.close();
        fetches.close();
        deadLetters.stop();
        lockDeadlines.wake();
        Utils.closeQuietly(locks, LOCK_TIMER);
        Utils.closeQuietly(metrics, "metrics of share groups");
    }
}
