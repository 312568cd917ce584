package io.gregor.replication.internal;

import static org.awaitility.Awaitility.await;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import io.gregor.internal.replication.Replicas.PartitionRecords;
import io.gregor.internal.storage.Logs;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesVersion;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.apache.kafka.server.common.ControllerRequestCompletionHandler;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogCleaner;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.jspecify.annotations.Nullable;

/** Broker 1 with real logs below a directory, and metadata that a test makes. Owned by the test's thread. */
final class TestBroker implements AutoCloseable {
    static final int ID = 1;

    /** Near to now: a producer whose last record is old is forgotten, and a younger record begins a new segment. */
    static final long START_MS = Time.SYSTEM.milliseconds();

    static final RequestLocal LOCAL = RequestLocal.noCaching();

    private final List<File> directories = new ArrayList<>();
    private final List<Consumer<String>> takeOffline = new ArrayList<>();
    private final KRaftMetadataCache metadata = new KRaftMetadataCache(ID, () -> KRaftVersion.KRAFT_VERSION_1);
    private final KafkaScheduler scheduler = new KafkaScheduler(1);
    private final BrokerTopicStats stats;
    private final LogDirFailureChannel failures = new LogDirFailureChannel(2);
    private final LogManager manager;
    final Queue<ControllerRequest> toController = new ConcurrentLinkedQueue<>();
    final ReplicaStore replicas;
    private final @Nullable RemoteTier remote;
    private MetadataImage image = MetadataImage.EMPTY;

    /** Starts on what is in the directories, with the metadata that these records make. */
    TestBroker(Path home, int directoryCount, ApiMessage... records) throws Exception {
        this(home, directoryCount, Map.of(), records);
    }

    /** The same, with settings of the broker; with remote storage if they turn it on. */
    TestBroker(Path home, int directoryCount, Map<String, String> settings, ApiMessage... records) throws Exception {
        for (int i = 0; i < directoryCount; i++) {
            directories.add(directory(home.resolve("logs" + i)));
        }
        Map<String, String> lines = new HashMap<>(settings);
        lines.put("log.dirs", directories.stream().map(File::getPath).collect(Collectors.joining(",")));
        NodeConfig config = FakeNodeConfig.of(lines);
        boolean isTiered = new RemoteLogManagerConfig(config.values()).isRemoteStorageSystemEnabled();
        stats = new BrokerTopicStats(isTiered);
        manager = new LogManager(
                directories,
                List.of(),
                metadata,
                new LogConfig(Map.of()),
                new CleanerConfig(false),
                1,
                Long.MAX_VALUE,
                60_000,
                60_000,
                300_000,
                900_000,
                new ProducerStateManagerConfig(86_400_000, false),
                600_000,
                scheduler,
                stats,
                failures,
                Time.SYSTEM,
                isTiered,
                30_000,
                LogCleaner::new);
        MetadataDelta delta = delta(records);
        image = delta.apply(MetadataProvenance.EMPTY);
        metadata.setImage(image);
        scheduler.startup();
        manager.startup(image.topics().topicsByName().keySet());
        remote = isTiered ? new RemoteTier(config, manager, stats) : null;
        replicas = new ReplicaStore(
                config,
                logs(),
                remote,
                () -> 11,
                metadata,
                (role, name, timeoutMs) -> channel(),
                new MoveQuota(() -> null),
                Time.SYSTEM);
        if (delta.topicsDelta() != null) {
            replicas.apply(delta.topicsDelta());
        }
        replicas.start();
    }

    private static File directory(Path path) throws Exception {
        File directory = path.toFile();
        if (directory.mkdirs()) {
            MetaProperties properties = new MetaProperties.Builder()
                    .setVersion(MetaPropertiesVersion.V1)
                    .setClusterId("test")
                    .setNodeId(ID)
                    .setDirectoryId(Uuid.randomUuid())
                    .build();
            PropertiesUtils.writePropertiesFile(
                    properties.toProperties(), new File(directory, "meta.properties").getPath(), false);
        }
        return directory;
    }

    RemoteTier remote() {
        return Objects.requireNonNull(remote, "remote.log.storage.system.enable");
    }

    /** Appends each value to a segment of its own, and waits until they are in remote storage only. */
    void tier(TopicIdPartition partition, String... values) {
        for (String value : values) {
            fillSegment(partition, value);
        }
        long end = log(partition).logEndOffset();
        await().atMost(Duration.ofSeconds(2)).until(() -> {
            log(partition).deleteOldSegments();
            return log(partition).localLogStartOffset() == end;
        });
    }

    /** Appends to a new segment, which is full then. */
    void fillSegment(TopicIdPartition partition, String value) {
        produce((short) 1, partition, records(value));
        try {
            log(partition).roll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    UnifiedLog log(TopicIdPartition partition) {
        return replicas.log(partition.topicPartition()).orElseThrow();
    }

    /** Gives a topic other settings as the metadata's followers do: its logs first. */
    void configure(TopicIdPartition partition, Map<String, String> settings) {
        Properties changed = new Properties();
        changed.putAll(settings);
        manager.updateTopicConfig(
                partition.topic(), changed, true, log(partition).remoteLogEnabled());
        replicas.settingsChanged(Set.of(partition.topic()));
    }

    private Logs logs() {
        return new Logs() {
            @Override
            public LogManager manager() {
                return manager;
            }

            @Override
            public BrokerTopicStats topicStats() {
                return stats;
            }

            @Override
            public LogDirFailureChannel directoryFailures() {
                return failures;
            }

            @Override
            public Runnable beforeFailure(Consumer<String> action) {
                takeOffline.add(action);
                return () -> takeOffline.remove(action);
            }

            @Override
            public Scheduler scheduler() {
                return scheduler;
            }
        };
    }

    private NodeToControllerChannelManager channel() {
        return Fake.of(NodeToControllerChannelManager.class, (proxy, method, arguments) -> {
            if (method.getName().equals("sendRequest")) {
                toController.add(new ControllerRequest(
                        ((AbstractRequest.Builder<?>) arguments[0]).build(),
                        (ControllerRequestCompletionHandler) arguments[1]));
            }
            return null;
        });
    }

    /** What was sent to the controller, and who waits for the answer. */
    record ControllerRequest(AbstractRequest request, ControllerRequestCompletionHandler waiting) {
        void answer(AbstractResponse response) {
            waiting.onComplete(new ClientResponse(
                    new RequestHeader(request.apiKey(), request.version(), "c", 1),
                    null,
                    "1",
                    0,
                    0,
                    false,
                    null,
                    null,
                    response));
        }
    }

    /** The first request of a kind to the controller; waits for it. */
    ControllerRequest sent(Class<? extends AbstractRequest> kind) {
        return await().until(
                        () -> toController.stream()
                                .filter(one -> kind.isInstance(one.request()))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Applies changes of the metadata as the loader would. */
    void apply(ApiMessage... records) {
        MetadataDelta delta = delta(records);
        image = delta.apply(MetadataProvenance.EMPTY);
        metadata.setImage(image);
        if (delta.topicsDelta() != null) {
            replicas.apply(delta.topicsDelta());
        }
    }

    private MetadataDelta delta(ApiMessage... records) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        if (image.isEmpty()) {
            delta.replay(new FeatureLevelRecord()
                    .setName(MetadataVersion.FEATURE_NAME)
                    .setFeatureLevel(MetadataVersion.latestTesting().featureLevel()));
        }
        for (ApiMessage record : records) {
            delta.replay(record);
        }
        return delta;
    }

    static TopicRecord topic(TopicIdPartition partition) {
        return new TopicRecord().setName(partition.topic()).setTopicId(partition.topicId());
    }

    /** A broker that is alive. */
    static RegisterBrokerRecord broker(int id, long epoch) {
        return new RegisterBrokerRecord()
                .setBrokerId(id)
                .setBrokerEpoch(epoch)
                .setIncarnationId(Uuid.randomUuid())
                .setFenced(false);
    }

    static RemoveTopicRecord noTopic(TopicIdPartition partition) {
        return new RemoveTopicRecord().setTopicId(partition.topicId());
    }

    static ConfigRecord setting(TopicIdPartition partition, String key, String value) {
        return new ConfigRecord()
                .setResourceType(ConfigResource.Type.TOPIC.id())
                .setResourceName(partition.topic())
                .setName(key)
                .setValue(value);
    }

    /** A partition whose leader is the first of the replicas in sync. */
    static PartitionRecord partition(TopicIdPartition partition, List<Integer> replicas, List<Integer> isr) {
        return new PartitionRecord()
                .setTopicId(partition.topicId())
                .setPartitionId(partition.partition())
                .setReplicas(replicas)
                .setIsr(isr)
                .setDirectories(replicas.stream().map(id -> Uuid.ZERO_UUID).toList())
                .setLeader(isr.get(0))
                .setLeaderEpoch(5)
                .setPartitionEpoch(7);
    }

    static PartitionChangeRecord change(TopicIdPartition partition) {
        return new PartitionChangeRecord().setTopicId(partition.topicId()).setPartitionId(partition.partition());
    }

    /** Takes a directory offline as storage does: the partitions first. */
    void failDirectory(int index) {
        String path = directories.get(index).getAbsolutePath();
        List.copyOf(takeOffline).forEach(action -> action.accept(path));
        manager.handleLogDirFailure(path);
    }

    Uuid directoryId(String directory) {
        return manager.directoryId(directory).orElseThrow();
    }

    /** Whether it is known that a directory has failed. */
    boolean hasFailed(Path directory) {
        return failures.hasOfflineLogDir(directory.toString());
    }

    List<PartitionResponse> produce(short acks, TopicIdPartition partition, MemoryRecords records) {
        CompletableFuture<List<PartitionResponse>> done = produceLater(acks, 100, partition, records);
        return done.join();
    }

    CompletableFuture<List<PartitionResponse>> produceLater(
            short acks, long timeoutMs, TopicIdPartition partition, MemoryRecords records) {
        CompletableFuture<List<PartitionResponse>> done = new CompletableFuture<>();
        replicas.append(
                acks,
                timeoutMs,
                false,
                AppendOrigin.CLIENT,
                List.of(new PartitionRecords(partition, records)),
                LOCAL,
                done::complete);
        return done;
    }

    Errors produceError(short acks, TopicIdPartition partition, MemoryRecords records) {
        return produce(acks, partition, records).get(0).error;
    }

    CompletableFuture<List<FetchPartitionData>> fetchLater(long waitMs, int minBytes, PartitionFetch... asked) {
        CompletableFuture<List<FetchPartitionData>> done = new CompletableFuture<>();
        fetchLater(waitMs, minBytes, done, asked);
        return done;
    }

    /** The same; what is returned ends the wait. */
    @Nullable
    Runnable fetchLater(
            long waitMs, int minBytes, CompletableFuture<List<FetchPartitionData>> done, PartitionFetch... asked) {
        FetchParams params =
                new FetchParams(-1, -1, waitMs, minBytes, 1_000_000, FetchIsolation.HIGH_WATERMARK, Optional.empty());
        return replicas.fetch(params, List.of(asked), done::complete);
    }

    /** Fetches as the replica on another broker: it has everything before the offset. */
    FetchPartitionData follow(int replicaId, long replicaEpoch, TopicIdPartition partition, long offset) {
        CompletableFuture<List<FetchPartitionData>> done = new CompletableFuture<>();
        FetchParams params =
                new FetchParams(replicaId, replicaEpoch, 0, 1, 1_000_000, FetchIsolation.LOG_END, Optional.empty());
        replicas.fetch(
                params,
                List.of(new PartitionFetch(
                        partition,
                        new FetchRequest.PartitionData(
                                partition.topicId(), offset, 0, 1_000_000, Optional.of(5), Optional.empty()))),
                done::complete);
        return done.join().get(0);
    }

    FetchPartitionData fetch(PartitionFetch asked) {
        return fetchLater(0, 1, asked).join().get(0);
    }

    static PartitionFetch from(TopicIdPartition partition, long offset) {
        return from(partition, offset, Optional.empty());
    }

    static PartitionFetch from(TopicIdPartition partition, long offset, Optional<Integer> leaderEpoch) {
        return new PartitionFetch(
                partition, new FetchRequest.PartitionData(partition.topicId(), offset, -1, 1_000_000, leaderEpoch));
    }

    /** Records a millisecond apart from {@link #START_MS} on. */
    static MemoryRecords records(String... values) {
        return MemoryRecords.withRecords(Compression.NONE, simple(values));
    }

    static MemoryRecords idempotent(long producerId, int firstSequence, String... values) {
        return MemoryRecords.withIdempotentRecords(
                Compression.NONE, producerId, (short) 0, firstSequence, simple(values));
    }

    private static SimpleRecord[] simple(String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(START_MS + i, values[i].getBytes(StandardCharsets.UTF_8));
        }
        return records;
    }

    static List<String> values(FetchPartitionData data) {
        List<String> values = new ArrayList<>();
        data.records
                .records()
                .forEach(record ->
                        values.add(StandardCharsets.UTF_8.decode(record.value()).toString()));
        return values;
    }

    /** Stops as the node does: partitions, then logs, marked as cleanly closed. */
    @Override
    public void close() {
        replicas.close();
        if (remote != null) {
            remote.close();
        }
        try {
            scheduler.shutdown();
            manager.shutdown(3);
        } catch (ClosedChannelException e) {
            // the lock of a directory that was taken offline
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        }
        stats.close();
    }
}
