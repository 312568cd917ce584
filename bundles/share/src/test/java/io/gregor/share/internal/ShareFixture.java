package io.gregor.share.internal;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.server.common.ShareVersion;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.server.share.dlq.NoOpShareGroupDLQManager;
import org.apache.kafka.server.share.metrics.ShareGroupMetrics;
import org.apache.kafka.server.share.persister.PartitionFactory;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.share.persister.ReadShareGroupStateParameters;
import org.apache.kafka.server.share.persister.ReadShareGroupStateResult;
import org.apache.kafka.server.share.persister.TopicData;
import org.apache.kafka.server.share.persister.WriteShareGroupStateParameters;
import org.apache.kafka.server.share.persister.WriteShareGroupStateResult;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.jspecify.annotations.Nullable;

/**
 * What share partitions need of a broker: logs of Kafka's, and a share coordinator that begins each group with offset 0 and writes
 * all down at once. Owned by the test's thread.
 */
final class ShareFixture {
    private final Path directory;
    private final Map<TopicIdPartition, TestLog> logs = new LinkedHashMap<>();
    private final Map<TopicIdPartition, Records> damaged = new LinkedHashMap<>();
    private final List<Runnable> late = new ArrayList<>();
    private final List<TestLog> closed = new ArrayList<>();
    private final ShareGroupMetrics metrics = new ShareGroupMetrics(Time.SYSTEM);
    private final BrokerTopicStats topicStats = new BrokerTopicStats();
    private final GroupConfigManager groups;
    private final ShareFetches fetches;
    private final ShareContext context;
    private boolean isLate;
    private Runnable whenAcquired = () -> {};

    /**
     * @param hasSession whether a member's session is open
     */
    ShareFixture(Path directory, Predicate<ShareSessionKey> hasSession) {
        this.directory = directory;
        this.fetches = new ShareFetches(1, 100, hasSession);
        ShareGroupConfig config = new ShareGroupConfig(FakeNodeConfig.of().values());
        this.groups = new GroupConfigManager(
                new GroupCoordinatorConfig(FakeNodeConfig.of().values()), config);
        this.context = new ShareContext(
                replicas(),
                persister(),
                new ShareSettings(config, groups, () -> ShareVersion.SV_1),
                new NoOpShareGroupDLQManager(),
                metrics,
                Fake.of(Timer.class, (proxy, method, arguments) -> {
                    whenAcquired.run();
                    return null;
                }),
                Time.SYSTEM,
                fetches.wakes());
    }

    ShareContext context() {
        return context;
    }

    ShareFetches fetches() {
        return fetches;
    }

    /** The log of partition 0 of a topic, led from here. */
    TestLog open(String topic) throws IOException {
        TestLog log = new TestLog(directory, topic);
        logs.put(log.partition(), log);
        return log;
    }

    void set(String key, String value) {
        Properties settings = new Properties();
        settings.setProperty(key, value);
        groups.updateGroupConfig("g", settings);
    }

    /** Reads take their time, until {@link #bringLate}. */
    void readLate(boolean isLateNow) {
        isLate = isLateNow;
    }

    void bringLate() {
        late.forEach(Runnable::run);
        late.clear();
    }

    /** Reads bring this instead of what is in the log. */
    void damage(TestLog log, @Nullable Records read) {
        if (read == null) {
            damaged.remove(log.partition());
        } else {
            damaged.put(log.partition(), read);
        }
    }

    /** A log can no longer be read. */
    void close(TestLog log) {
        log.log().close();
        closed.add(log);
    }

    /** Is run when a member has got records that it is not told of yet. */
    void whenAcquired(Runnable then) {
        whenAcquired = then;
    }

    /** Those who wait for more of a log are woken. */
    void visible(TestLog log) {
        fetches.visible(new TopicPartitionOperationKey(log.partition().topicPartition()));
    }

    private Replicas replicas() {
        return Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "watch", "isLeader" -> true;
            case "unwatch" -> null;
            case "leader" -> new Replicas.KnownLeader(1, 1);
            case "topicStats" -> topicStats;
            case "log" ->
                logs.values().stream()
                        .filter(one -> one.partition().topicPartition().equals(arguments[0]))
                        .map(TestLog::log)
                        .findFirst();
            case "fetch" -> read(arguments);
            default -> throw Fake.unexpected(method.getName());
        });
    }

    private static Persister persister() {
        return Fake.of(Persister.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "readState" -> {
                Uuid topic = ((ReadShareGroupStateParameters) arguments[0])
                        .groupTopicPartitionData()
                        .topicsData()
                        .get(0)
                        .topicId();
                yield CompletableFuture.completedFuture(new ReadShareGroupStateResult.Builder()
                        .setTopicsData(List.of(new TopicData<>(
                                topic,
                                List.of(PartitionFactory.newPartitionAllData(
                                        0, 1, 0, Errors.NONE.code(), null, List.of())))))
                        .build());
            }
            case "writeState" -> {
                Uuid topic = ((WriteShareGroupStateParameters) arguments[0])
                        .groupTopicPartitionData()
                        .topicsData()
                        .get(0)
                        .topicId();
                yield CompletableFuture.completedFuture(new WriteShareGroupStateResult.Builder()
                        .setTopicsData(List.of(new TopicData<>(
                                topic, List.of(PartitionFactory.newPartitionErrorData(0, Errors.NONE.code(), null)))))
                        .build());
            }
            default -> throw Fake.unexpected(method.getName());
        });
    }

    private @Nullable Object read(Object[] arguments) {
        FetchParams params = (FetchParams) arguments[0];
        List<FetchPartitionData> results = new ArrayList<>();
        for (Object one : (List<?>) arguments[1]) {
            PartitionFetch asked = (PartitionFetch) one;
            TestLog log = Objects.requireNonNull(logs.get(asked.partition()));
            Records instead = damaged.get(asked.partition());
            results.add(
                    instead == null
                            ? log.read(asked.request().fetchOffset, asked.request().maxBytes, params.isolation)
                            : log.read(instead));
        }
        @SuppressWarnings("unchecked")
        Consumer<List<FetchPartitionData>> done = (Consumer<List<FetchPartitionData>>) arguments[2];
        if (isLate) {
            late.add(() -> done.accept(results));
        } else {
            done.accept(results);
        }
        return null;
    }

    void close() throws Exception {
        fetches.close();
        metrics.close();
        topicStats.close();
        logs.values().stream().filter(log -> !closed.contains(log)).forEach(log -> log.log()
                .close());
    }
}
