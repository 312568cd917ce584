package io.gregor.replication.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.storage.RemoteLogs;
import java.io.IOException;
import java.util.Optional;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.log.remote.storage.PluggedRemoteLogManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** Kafka's remote log manager over a test's logs, with plugins in memory. Shared: any thread. */
final class RemoteTier implements RemoteLogs, AutoCloseable {
    final MemorySegments segments = new MemorySegments();
    final MemoryMetadata metadata = new MemoryMetadata();
    private final RemoteLogManagerConfig config;
    private final Metrics metrics = new Metrics();
    private final RemoteLogManager manager;

    RemoteTier(NodeConfig node, LogManager logs, BrokerTopicStats stats) throws IOException {
        config = new RemoteLogManagerConfig(node.values());
        manager = PluggedRemoteLogManager.start(
                new PluggedRemoteLogManager.Plugins(segments, metadata),
                config,
                new PluggedRemoteLogManager.Node(
                        TestBroker.ID, logs.liveLogDirs().iterator().next().getPath(), "test", Optional.empty()),
                Time.SYSTEM,
                logs::getLog,
                (partition, offset) ->
                        logs.getLog(partition).ifPresent(log -> log.updateLogStartOffsetFromRemoteTier(offset)),
                stats,
                metrics);
    }

    @Override
    public RemoteLogManager manager() {
        return manager;
    }

    @Override
    public long fetchMaxWaitMs() {
        return config.remoteFetchMaxWaitMs();
    }

    @Override
    public long listOffsetsTimeoutMs() {
        return config.remoteListOffsetsRequestTimeoutMs();
    }

    @Override
    public void close() {
        manager.close();
        metrics.close();
    }
}
