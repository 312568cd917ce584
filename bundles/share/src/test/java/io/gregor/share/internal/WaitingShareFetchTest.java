package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import io.gregor.internal.share.SharePartitions.Wanted;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.internals.ShareAcquireMode;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.server.common.ShareVersion;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.dlq.NoOpShareGroupDLQManager;
import org.apache.kafka.server.share.metrics.ShareGroupMetrics;
import org.apache.kafka.server.share.persister.PartitionFactory;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.share.persister.ReadShareGroupStateParameters;
import org.apache.kafka.server.share.persister.ReadShareGroupStateResult;
import org.apache.kafka.server.share.persister.TopicData;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.server.util.timer.Timer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaitingShareFetchTest {
    private static final ShareSessionKey MEMBER = new ShareSessionKey("g", "member");
    private static final ShareSessionKey OTHER = new ShareSessionKey("g", "other");
    private static final int LONG_MS = 3_600_000;
    private static final int ALL = 1_000_000;

    @TempDir
    private Path directory;

    private final Map<TopicIdPartition, TestLog> logs = new LinkedHashMap<>();
    private final List<SharePartition> partitions = new ArrayList<>();
    private final List<ShareSessionKey> gone = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private final List<TestLog> closed = new ArrayList<>();
    private boolean isLate;
    private boolean goesWithRecords;
    private @Nullable Records damaged;

    private final Replicas replicas = Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
        case "watch", "isLeader" -> true;
        case "unwatch" -> null;
        case "log" ->
            logs.values().stream()
                    .filter(one -> one.partition().topicPartition().equals(arguments[0]))
                    .map(TestLog::log)
                    .findFirst();
        case "fetch" -> read(arguments);
        default -> throw Fake.unexpected(method.getName());
    });

    private final Persister persister = Fake.of(Persister.class, (proxy, method, arguments) -> {
        if (method.getName().equals("writeState")) {
            return new CompletableFuture<>();
        }
        Uuid topic = ((ReadShareGroupStateParameters) arguments[0])
                .groupTopicPartitionData()
                .topicsData()
                .get(0)
                .topicId();
        return CompletableFuture.completedFuture(new ReadShareGroupStateResult.Builder()
                .setTopicsData(List.of(new TopicData<>(
                        topic,
                        List.of(PartitionFactory.newPartitionAllData(0, 1, 0, Errors.NONE.code(), null, List.of())))))
                .build());
    });

    private final ShareFetches fetches = new ShareFetches(1, 100, member -> !gone.contains(member));
    private final ShareGroupMetrics metrics = new ShareGroupMetrics(Time.SYSTEM);
    private final ShareGroupConfig config =
            new ShareGroupConfig(FakeNodeConfig.of().values());
    private final GroupConfigManager groups = new GroupConfigManager(
            new GroupCoordinatorConfig(FakeNodeConfig.of().values()), config);
    private final ShareContext context = new ShareContext(
            replicas,
            persister,
            new ShareSettings(config, groups, () -> ShareVersion.SV_1),
            new NoOpShareGroupDLQManager(),
            metrics,
            Fake.of(Timer.class, (proxy, method, arguments) -> goesWithRecords && gone.add(MEMBER)),
            Time.SYSTEM,
            fetches.wakes());

    private TestLog a;
    private TestLog b;

    @BeforeEach
    void open() throws IOException {
        a = open("a");
        b = open("b");
    }

    private TestLog open(String topic) throws IOException {
        TestLog log = new TestLog(directory, topic);
        logs.put(log.partition(), log);
        SharePartition partition =
                new SharePartition(new SharePartitionKey("g", log.partition()), context, 1, ended -> {});
        partition.load();
        partitions.add(partition);
        return log;
    }

    @AfterEach
    void close() throws Exception {
        partitions.forEach(partition -> partition.end(Errors.NOT_LEADER_OR_FOLLOWER));
        fetches.close();
        metrics.close();
        logs.values().stream().filter(log -> !closed.contains(log)).forEach(log -> log.log()
                .close());
    }

    @Test
    void answersAtOnceWithWhatThereIs() throws IOException {
        a.append(3);

        Answer answer = fetch(MEMBER, 1, ALL);

        assertThat(answer.get()).isEqualTo("a:0-2x1 b:");
        assertThat(answer.batches("a")).isEqualTo(1);
    }

    @Test
    void waitsUntilMoreIsVisible() throws IOException {
        Answer answer = fetch(MEMBER, 1, ALL);
        assertThat(answer.isGiven()).isFalse();

        b.append(2);
        visible(b);

        assertThat(answer.get()).isEqualTo("a: b:0-1x1");
    }

    @Test
    void waitsForAsManyBytesAsAreWantedOrUntilItIsHurried() throws IOException {
        a.append(1);
        Answer answer = fetch(MEMBER, 5000, ALL);
        a.append(1);
        visible(a);
        assertThat(answer.isGiven()).isFalse();

        answer.hurry();

        assertThat(answer.get()).isEqualTo("a:0-1x1 b:");
    }

    @Test
    void answersWithNothingWhenTheTimeIsOver() {
        Answer answer = fetch(MEMBER, 1, ALL);

        answer.hurry();

        assertThat(answer.get()).isEqualTo("a: b:");
    }

    @Test
    void goesOnBehindWhatIsNotForMembers() throws IOException {
        Properties settings = new Properties();
        settings.setProperty("share.isolation.level", "read_committed");
        groups.updateGroupConfig("g", settings);
        a.transact(7, 0, 1);
        a.mark(7, ControlRecordType.ABORT);
        a.append(1);

        Answer answer = fetch(MEMBER, 1, 2);

        assertThat(answer.get()).isEqualTo("a:2-2x1 b:");
    }

    @Test
    void doesNotSeeBehindAnOpenTransactionUntilItEnds() throws IOException {
        Properties settings = new Properties();
        settings.setProperty("share.isolation.level", "read_committed");
        groups.updateGroupConfig("g", settings);
        a.transact(7, 0, 1);
        Answer answer = fetch(MEMBER, 1, ALL);
        assertThat(answer.isGiven()).isFalse();

        a.mark(7, ControlRecordType.COMMIT);
        visible(a);

        assertThat(answer.get()).isEqualTo("a:0-0x1 b:");
    }

    @Test
    void secondReadsWhenTheFirstHasDone() throws IOException {
        a.append(3);
        isLate = true;
        Answer first = fetch(MEMBER, 1, ALL);
        isLate = false;
        Answer second = fetch(OTHER, 1, ALL);
        assertThat(second.isGiven()).isFalse();
        a.append(2);

        late.forEach(Runnable::run);

        assertThat(first.get()).isEqualTo("a:0-2x1 b:");
        assertThat(second.get()).isEqualTo("a:3-4x1 b:");
    }

    @Test
    void waitsForWhatIsBeingReadThoughTheTimeIsOver() throws IOException {
        a.append(3);
        isLate = true;
        Answer answer = fetch(MEMBER, 1, ALL);
        answer.hurry();
        assertThat(answer.isGiven()).isFalse();

        late.forEach(Runnable::run);

        assertThat(answer.get()).isEqualTo("a:0-2x1 b:");
    }

    @Test
    void memberThatHasGoneGetsNothingSoThatOthersDo() throws IOException {
        Answer answer = fetch(MEMBER, 1, ALL);
        gone.add(MEMBER);

        a.append(3);
        visible(a);

        assertThat(answer.get()).isEqualTo("a: b:");
        assertThat(fetch(OTHER, 1, ALL).get()).isEqualTo("a:0-2x1 b:");
    }

    @Test
    void memberThatGoesWhileItsRecordsAreReadGetsNothingSoThatOthersDo() throws IOException {
        a.append(3);
        isLate = true;
        Answer answer = fetch(MEMBER, 1, ALL);
        isLate = false;
        gone.add(MEMBER);

        late.forEach(Runnable::run);

        assertThat(answer.get()).isEqualTo("a: b:");
        assertThat(fetch(OTHER, 1, ALL).get()).isEqualTo("a:0-2x1 b:");
    }

    @Test
    void memberThatGoesWhileItGetsRecordsLosesThemAtOnce() throws IOException {
        a.append(3);
        goesWithRecords = true;

        assertThat(fetch(MEMBER, 1, ALL).get()).isEqualTo("a: b:");

        assertThat(fetch(OTHER, 1, ALL).get()).isEqualTo("a:0-2x2 b:");
    }

    @Test
    void endsWhenNoneOfItsPartitionsIsLedFromHereAnyMore() {
        Answer answer = fetch(MEMBER, 1, ALL);

        partitions.get(0).onBecomingFollower(a.partition().topicPartition());
        assertThat(answer.isGiven()).isFalse();
        partitions.get(1).onBecomingFollower(b.partition().topicPartition());

        assertThat(answer.get()).isEqualTo("a:NOT_LEADER_OR_FOLLOWER b:NOT_LEADER_OR_FOLLOWER");
    }

    @Test
    void tellsOfDamagedRecordsAndGivesTheOthers() throws IOException {
        a.append(3);
        b.append(2);
        damaged = MemoryRecords.readableRecords(
                ByteBuffer.wrap(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2}));

        assertThat(fetch(MEMBER, 1, ALL).get()).isEqualTo("a:CORRUPT_MESSAGE b:0-1x1");
        damaged = null;

        assertThat(fetch(MEMBER, 1, ALL).get()).isEqualTo("a:0-2x1 b:");
    }

    @Test
    void tellsOfALogThatCannotBeReadAndGivesTheOthers() throws IOException {
        a.append(3);
        b.append(2);
        b.log().close();
        closed.add(b);

        assertThat(fetch(MEMBER, 1, ALL).get()).isEqualTo("a:0-2x1 b:KAFKA_STORAGE_ERROR");
    }

    private void visible(TestLog log) {
        fetches.visible(new TopicPartitionOperationKey(log.partition().topicPartition()));
    }

    private Answer fetch(ShareSessionKey member, int minBytes, int maxBytes) {
        Answer answer = new Answer();
        Wanted wanted = new Wanted(member, 1, LONG_MS, minBytes, maxBytes, 100, 100, ShareAcquireMode.BATCH_OPTIMIZED);
        answer.endOfWait = fetches.fetch(context, wanted, partitions, answer::take);
        return answer;
    }

    private @Nullable Object read(Object[] arguments) {
        FetchParams params = (FetchParams) arguments[0];
        List<FetchPartitionData> results = new ArrayList<>();
        for (Object one : (List<?>) arguments[1]) {
            PartitionFetch asked = (PartitionFetch) one;
            TestLog log = Objects.requireNonNull(logs.get(asked.partition()));
            results.add(
                    damaged != null && log == a
                            ? log.read(damaged)
                            : log.read(asked.request().fetchOffset, asked.request().maxBytes, params.isolation));
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

    /** What a member gets. */
    private static final class Answer {
        private final List<Map<TopicIdPartition, PartitionData>> given = new ArrayList<>();
        private @Nullable Runnable endOfWait;

        void take(Map<TopicIdPartition, PartitionData> answer) {
            given.add(answer);
        }

        boolean isGiven() {
            return !given.isEmpty();
        }

        void hurry() {
            Objects.requireNonNull(endOfWait).run();
        }

        /** By topic, the errors or the acquired records with their delivery counts. */
        String get() {
            assertThat(given).hasSize(1);
            return String.join(
                    " ",
                    given.get(0).entrySet().stream()
                            .sorted(Map.Entry.comparingByKey(
                                    (one, other) -> one.topic().compareTo(other.topic())))
                            .map(one -> one.getKey().topic() + ":" + describe(one.getValue()))
                            .toList());
        }

        private static String describe(PartitionData data) {
            Stream<String> acquired = data.acquiredRecords().stream()
                    .map(range -> range.firstOffset() + "-" + range.lastOffset() + "x" + range.deliveryCount());
            return data.errorCode() == Errors.NONE.code()
                    ? String.join(",", acquired.toList())
                    : Errors.forCode(data.errorCode()).name();
        }

        int batches(String topic) {
            int count = 0;
            for (Map.Entry<TopicIdPartition, PartitionData> one : given.get(0).entrySet()) {
                if (one.getKey().topic().equals(topic)) {
                    for (Object batch : ((Records) one.getValue().records()).batches()) {
                        count += batch == null ? 0 : 1;
                    }
                }
            }
            return count;
        }
    }
}
