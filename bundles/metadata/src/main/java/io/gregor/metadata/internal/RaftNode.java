package io.gregor.metadata.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import java.io.File;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.raft.Endpoints;
import org.apache.kafka.raft.ExternalKRaftMetrics;
import org.apache.kafka.raft.FileQuorumStateStore;
import org.apache.kafka.raft.KafkaNetworkChannel;
import org.apache.kafka.raft.KafkaRaftClient;
import org.apache.kafka.raft.KafkaRaftClientDriver;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.raft.RaftLog;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.raft.TimingWheelExpirationService;
import org.apache.kafka.raft.internals.KafkaRaftLog;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.serialization.RecordSerde;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kafka's Raft client over the metadata log of this node, with its network and its threads. Shared: any thread. */
public final class RaftNode implements RaftManager<ApiMessageAndVersion>, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(RaftNode.class);

    private final Time time = Time.SYSTEM;
    private final WaitingRequests<ApiMessage> waiting = new WaitingRequests<>();
    private final QuorumConfig quorum;
    private final Metrics metrics;
    private final KafkaScheduler scheduler;
    private final MetadataDirectory directory;
    private final KafkaRaftLog log;
    private final KafkaNetworkChannel channel;
    private final SystemTimer expirationTimer;
    private final TimingWheelExpirationService expiration;
    private final KafkaRaftClient<ApiMessageAndVersion> client;
    private final KafkaRaftClientDriver<ApiMessageAndVersion> driver;

    /**
     * Opens the metadata log, which recovers it where needed, and builds the client; no thread of Raft runs yet.
     *
     * @param endpoints where other nodes reach this one; empty on a node without the controller role
     * @throws IOException if the directory or the log cannot be opened
     */
    public RaftNode(NodeConfig config, NodeIdentity identity, Metrics metrics, Endpoints endpoints, FaultHandler fatal)
            throws IOException {
        LogContext logContext = new LogContext("[RaftManager id=" + config.nodeId() + "] ");
        String threadPrefix = "kafka-" + config.nodeId() + "-raft";
        this.metrics = metrics;
        quorum = new QuorumConfig(config.values());
        directory = new MetadataDirectory(config);
        scheduler = new KafkaScheduler(1, true, threadPrefix + "-scheduler");
        scheduler.startup();
        log = KafkaRaftLog.createLog(
                Topic.CLUSTER_METADATA_TOPIC_PARTITION,
                Uuid.METADATA_TOPIC_ID,
                directory.folder(),
                time,
                scheduler,
                new MetadataLogConfig(config.values()),
                config.nodeId());
        channel = new RaftChannel(config.values(), metrics, time, logContext).open(threadPrefix);
        expirationTimer = new SystemTimer("raft-expiration-executor");
        expiration = new TimingWheelExpirationService(expirationTimer);
        client = new KafkaRaftClient<>(
                OptionalInt.of(config.nodeId()),
                identity.metadataDirectoryId(),
                MetadataRecordSerde.INSTANCE,
                channel,
                log,
                time,
                expiration,
                logContext,
                config.roles().contains(Role.CONTROLLER),
                identity.clusterId(),
                QuorumConfig.parseBootstrapServers(quorum.bootstrapServers()),
                endpoints,
                Feature.KRAFT_VERSION.supportedVersionRange(),
                quorum);
        driver = new KafkaRaftClientDriver<>(client, threadPrefix, fatal, logContext);
    }

    /** Reads the quorum's state and starts the threads. From now on requests are answered. */
    public void start(ExternalKRaftMetrics external) {
        client.initialize(
                QuorumConfig.parseVoterConnections(quorum.voters()),
                new FileQuorumStateStore(new File(directory.folder(), FileQuorumStateStore.DEFAULT_FILE_NAME)),
                metrics,
                external);
        channel.start();
        driver.start();
    }

    @Override
    public CompletionStage<ApiMessage> handleRequest(
            RequestContext context, RequestHeader header, ApiMessage request, long createdTimeMs) {
        return waiting.add(() -> driver.handleRequest(context, header, request, createdTimeMs));
    }

    @Override
    public RaftClient<ApiMessageAndVersion> client() {
        return client;
    }

    @Override
    public RaftLog raftLog() {
        return log;
    }

    @Override
    public RecordSerde<ApiMessageAndVersion> recordSerde() {
        return MetadataRecordSerde.INSTANCE;
    }

    /** Leaves the quorum, as leader after a successor is known or five seconds, and ends everything. */
    @Override
    public void close() {
        Utils.swallow(LOGGER, expiration::shutdown);
        Utils.closeQuietly(expirationTimer, "expiration timer");
        Utils.swallow(LOGGER, driver::shutdown);
        waiting.close();
        Utils.swallow(LOGGER, scheduler::shutdown);
        Utils.closeQuietly(channel, "network channel");
        Utils.closeQuietly(log, "metadata log");
        Utils.closeQuietly(directory, "metadata directory lock");
    }
}
