package io.gregor.metadata;

import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.metadata.internal.AppliedCachePublisher;
import io.gregor.metadata.internal.MetadataPipeline;
import io.gregor.metadata.internal.Services;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.metrics.NodeMetrics;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Turns what Raft commits into images, on threads of its own, and shows by services that it does: MetadataFeed, and
 * KRaftMetadataCache with {@code view=applied}. That, the credentials and the ACLs are updated before every
 * publisher of the feed.
 * Immutable.
 */
@Component(service = {})
public final class MetadataStream {
    private final Services services;
    private final NodeMetrics nodeMetrics;
    private final MetadataPipeline pipeline;

    /** Lets it flow. */
    @Activate
    public MetadataStream(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference Metrics metrics,
            @Reference CountedHealth health,
            @Reference Credentials credentials,
            @Reference AclFeed acls,
            @Reference RaftManager<ApiMessageAndVersion> raft) {
        RaftClient<ApiMessageAndVersion> client = raft.client();
        KRaftMetadataCache cache = new KRaftMetadataCache(config.nodeId(), client::kraftVersion);
        services = new Services(context);
        nodeMetrics = new NodeMetrics(
                metrics, config.values().getBoolean(ServerConfigs.UNSTABLE_FEATURE_VERSIONS_ENABLE_CONFIG));
        pipeline = EngineThread.call(() -> new MetadataPipeline(config, client, health, health.snapshotsDisabled()));
        List<MetadataPublisher> first = new ArrayList<>(credentials.publishers());
        first.add(acls.publisher());
        first.add(new AppliedCachePublisher(cache));
        pipeline.start(first, client).exceptionally(fault -> {
            health.loading().handleFault("the first metadata publishers could not be installed", fault);
            return null;
        });
        services.add(KRaftMetadataCache.class, cache, Map.of("view", "applied"));
        services.add(MetadataFeed.class, pipeline, Map.of());
    }

    /** Takes the services back and ends the flow. */
    @Deactivate
    void deactivate() {
        services.close();
        pipeline.close();
        Utils.closeQuietly(nodeMetrics, "node metrics");
    }
}
