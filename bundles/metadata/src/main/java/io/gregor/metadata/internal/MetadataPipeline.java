package io.gregor.metadata.internal;

import com.yammer.metrics.core.MetricsRegistry;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.metadata.MetadataHealth;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.MetadataLoader;
import org.apache.kafka.image.loader.metrics.MetadataLoaderMetrics;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.image.publisher.SnapshotEmitter;
import org.apache.kafka.image.publisher.SnapshotGenerator;
import org.apache.kafka.image.publisher.metrics.SnapshotEmitterMetrics;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DefaultSupportedConfigChecker;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's metadata loader and snapshot generator: what Raft commits becomes images, images become calls of publishers, and
 * now and then a snapshot. Shared: any thread; publishers run on the loader's.
 */
public final class MetadataPipeline implements MetadataFeed, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(MetadataPipeline.class);

    private final MetadataLoaderMetrics loaderMetrics;
    private final MetadataLoader loader;
    private final SnapshotEmitterMetrics emitterMetrics;
    private final SnapshotGenerator snapshots;

    /** Builds both with their threads; nothing flows yet. */
    public MetadataPipeline(
            NodeConfig config,
            RaftClient<ApiMessageAndVersion> raft,
            MetadataHealth health,
            AtomicReference<String> snapshotsDisabled) {
        loaderMetrics = loaderMetrics(health);
        loader = new MetadataLoader.Builder()
                .setNodeId(config.nodeId())
                .setTime(Time.SYSTEM)
                .setThreadNamePrefix(threadPrefix(config))
                .setFaultHandler(health.loading())
                .setHighWaterMarkAccessor(raft::highWatermark)
                .setMetrics(loaderMetrics)
                .setSupportedConfigChecker(new DefaultSupportedConfigChecker())
                .build();
        emitterMetrics = new SnapshotEmitterMetrics(Optional.of(KafkaYammerMetrics.defaultRegistry()), Time.SYSTEM);
        snapshots = snapshots(config, raft, health, snapshotsDisabled);
    }

    /** Lets it flow: first to the given publishers, in their order, then to snapshots, then to those installed later. */
    public CompletableFuture<Void> start(List<MetadataPublisher> first, RaftClient<ApiMessageAndVersion> raft) {
        List<MetadataPublisher> publishers = new ArrayList<>(first);
        publishers.add(snapshots);
        return loader.installPublishers(publishers).thenRun(() -> raft.register(loader));
    }

    @Override
    public CompletableFuture<Void> install(MetadataPublisher publisher) {
        return loader.installPublishers(List.of(publisher));
    }

    @Override
    public CompletableFuture<Void> remove(MetadataPublisher publisher) {
        return loader.removeAndClosePublisher(publisher);
    }

    @Override
    public long lastAppliedOffset() {
        return loader.lastAppliedOffset();
    }

    @Override
    public void close() {
        loader.beginShutdown();
        snapshots.beginShutdown();
        Utils.closeQuietly(loader, "metadata loader");
        Utils.closeQuietly(loaderMetrics, "metadata loader metrics");
        Utils.swallow(LOGGER, snapshots::close);
        Utils.closeQuietly(emitterMetrics, "snapshot emitter metrics");
    }

    private SnapshotGenerator snapshots(
            NodeConfig config,
            RaftClient<ApiMessageAndVersion> raft,
            MetadataHealth health,
            AtomicReference<String> snapshotsDisabled) {
        AbstractKafkaConfig values = config.values();
        SnapshotEmitter emitter = new SnapshotEmitter.Builder()
                .setNodeId(config.nodeId())
                .setRaftClient(raft)
                .setMetrics(emitterMetrics)
                .build();
        return new SnapshotGenerator.Builder(emitter)
                .setNodeId(config.nodeId())
                .setTime(Time.SYSTEM)
                .setFaultHandler(health.publishing())
                .setMaxBytesSinceLastSnapshot(
                        values.getLong(MetadataLogConfig.METADATA_SNAPSHOT_MAX_NEW_RECORD_BYTES_CONFIG))
                .setMaxTimeSinceLastSnapshotNs(TimeUnit.MILLISECONDS.toNanos(
                        values.getLong(MetadataLogConfig.METADATA_SNAPSHOT_MAX_INTERVAL_MS_CONFIG)))
                .setDisabledReason(snapshotsDisabled)
                .setThreadNamePrefix(threadPrefix(config))
                .build();
    }

    private static MetadataLoaderMetrics loaderMetrics(MetadataHealth health) {
        Optional<MetricsRegistry> registry = Optional.of(KafkaYammerMetrics.defaultRegistry());
        return health.brokerMetrics()
                .map(broker -> new MetadataLoaderMetrics(
                        registry,
                        broker::updateBatchProcessingTime,
                        broker::updateBatchSize,
                        broker.lastAppliedImageProvenance()))
                .orElseGet(() -> new MetadataLoaderMetrics(
                        registry, elapsedNs -> {}, batchSize -> {}, new AtomicReference<>(MetadataProvenance.EMPTY)));
    }

    private static String threadPrefix(NodeConfig config) {
        return "kafka-" + config.nodeId() + "-";
    }
}
