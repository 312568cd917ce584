package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.share.SharePartitions.Wanted;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.internals.ShareAcquireMode;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.server.common.ShareVersion;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.dlq.ShareGroupDLQManager;
import org.apache.kafka.server.share.dlq.ShareGroupDLQRecordParameter;
import org.apache.kafka.server.share.metrics.ShareGroupMetrics;
import org.apache.kafka.server.share.persister.PartitionFactory;
import org.apache.kafka.server.share.persister.PartitionStateBatchData;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.share.persister.ReadShareGroupStateResult;
import org.apache.kafka.server.share.persister.TopicData;
import org.apache.kafka.server.share.persister.WriteShareGroupStateParameters;
import org.apache.kafka.server.share.persister.WriteShareGroupStateResult;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharePartitionTest {
    private static final String MEMBER = "member";
    private static final byte ACCEPT = 1;
    private static final byte RELEASE = 2;
    private static final TopicIdPartition PARTITION = new TopicIdPartition(Uuid.randomUuid(), 0, "t");

    private final List<TimerTask> timers = new ArrayList<>();
    private final List<CompletableFuture<WriteShareGroupStateResult>> writes = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final List<SharePartition> ended = new ArrayList<>();
    private final List<ShareGroupDLQRecordParameter> buried = new ArrayList<>();
    private final Wakes wakes = new Wakes(key -> {});
    private final ShareGroupMetrics metrics = new ShareGroupMetrics(Time.SYSTEM);
    private Errors readError = Errors.NONE;

    private final Persister persister =
            Fake.of(Persister.class, (proxy, method, arguments) -> switch (method.getName()) {
                case "readState" ->
                    CompletableFuture.completedFuture(new ReadShareGroupStateResult.Builder()
                            .setTopicsData(List.of(new TopicData<>(
                                    PARTITION.topicId(),
                                    List.of(PartitionFactory.newPartitionAllData(
                                            0, 1, 0, readError.code(), null, List.of())))))
                            .build());
                case "writeState" -> {
                    CompletableFuture<WriteShareGroupStateResult> write = new CompletableFuture<>();
                    writes.add(write);
                    told.add(told((WriteShareGroupStateParameters) arguments[0]));
                    yield write;
                }
                default -> throw Fake.unexpected(method.getName());
            });

    private final Replicas replicas = Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
        case "watch", "isLeader" -> true;
        case "unwatch" -> null;
        case "log" -> Optional.empty();
        default -> throw Fake.unexpected(method.getName());
    });

    private final Timer locks = Fake.of(Timer.class, (proxy, method, arguments) -> {
        timers.add((TimerTask) arguments[0]);
        return null;
    });

    private final ShareGroupDLQManager deadLetters = Fake.of(ShareGroupDLQManager.class, (proxy, method, arguments) -> {
        buried.add((ShareGroupDLQRecordParameter) arguments[0]);
        return CompletableFuture.completedFuture(null);
    });

    private GroupConfigManager groups;
    private final SharePartition partition = create();

    private SharePartition create() {
        FakeNodeConfig node = FakeNodeConfig.of(Map.of("group.share.delivery.count.limit", "2"));
        ShareGroupConfig config = new ShareGroupConfig(node.values());
        groups = new GroupConfigManager(new GroupCoordinatorConfig(node.values()), config);
        ShareContext context = new ShareContext(
                replicas,
                persister,
                new ShareSettings(config, groups, () -> ShareVersion.SV_2),
                deadLetters,
                metrics,
                locks,
                Time.SYSTEM,
                wakes);
        return new SharePartition(new SharePartitionKey("g", PARTITION), context, 3, ended::add);
    }

    @AfterEach
    void close() throws Exception {
        partition.end(Errors.NOT_LEADER_OR_FOLLOWER);
        metrics.close();
    }

    @Test
    void givesRecordsWhenItsStateIsRead() {
        assertThat(partition.next()).isEqualTo(-1);

        partition.load();

        assertThat(partition.next()).isZero();
        assertThat(acquire()).isEqualTo(10);
    }

    @Test
    void endsWithTheErrorOfAStateThatIsNotToBeHad() {
        readError = Errors.COORDINATOR_LOAD_IN_PROGRESS;

        partition.load();

        assertThat(partition.failure()).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(ended).containsExactly(partition);
    }

    @Test
    void acknowledgesWhenItIsWritten() {
        partition.load();
        acquire();

        CompletableFuture<Void> acknowledged = acknowledge(0, 9, ACCEPT);
        assertThat(acknowledged).isNotDone();
        written(0, Errors.NONE);

        assertThat(acknowledged).isCompleted();
        assertThat(partition.next()).isEqualTo(10);
    }

    @Test
    void leavesRecordsWithTheirMemberWhenTheyCannotBeWritten() {
        partition.load();
        acquire();

        CompletableFuture<Void> acknowledged = acknowledge(0, 9, ACCEPT);
        written(0, Errors.COORDINATOR_NOT_AVAILABLE);

        assertThat(error(acknowledged)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        CompletableFuture<Void> again = acknowledge(0, 9, ACCEPT);
        written(1, Errors.NONE);
        assertThat(again).isCompleted();
    }

    @Test
    void writesOneAfterTheOther() {
        partition.load();
        acquire();

        CompletableFuture<Void> first = acknowledge(0, 1, ACCEPT);
        CompletableFuture<Void> second = acknowledge(2, 9, ACCEPT);
        assertThat(writes).hasSize(1);
        written(0, Errors.NONE);
        assertThat(writes).hasSize(2);
        written(1, Errors.NONE);

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void endsWhenAnotherOneWritesItsState() {
        partition.load();
        acquire();

        CompletableFuture<Void> first = acknowledge(0, 1, ACCEPT);
        CompletableFuture<Void> waiting = acknowledge(2, 3, ACCEPT);
        written(0, Errors.FENCED_STATE_EPOCH);

        assertThat(error(first)).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(error(waiting)).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(ended).containsExactly(partition);
    }

    @Test
    void endsWithItsLeadership() {
        partition.load();
        acquire();

        partition.onBecomingFollower(PARTITION.topicPartition());

        assertThat(partition.failure()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(error(acknowledge(0, 9, ACCEPT))).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(acquire()).isZero();
        assertThat(timers).allMatch(TimerTask::isCancelled);
    }

    @Test
    void givesRecordsAgainWhenTheTimeIsOver() {
        partition.load();
        acquire();

        timers.get(0).run();

        assertThat(partition.next()).isZero();
        assertThat(error(acknowledge(0, 9, RELEASE))).isEqualTo(Errors.INVALID_RECORD_STATE);
    }

    @Test
    void endsWhenItsGroupIsEmptyAndAllIsWritten() {
        partition.load();
        acquire();
        CompletableFuture<Void> acknowledged = acknowledge(0, 9, ACCEPT);

        partition.abandon();
        assertThat(ended).isEmpty();
        written(0, Errors.NONE);

        assertThat(acknowledged).isCompleted();
        assertThat(ended).containsExactly(partition);
    }

    @Test
    void endsWhenItsStateIsGone() {
        partition.load();
        acquire();

        acknowledge(0, 1, ACCEPT);
        written(0, Errors.GROUP_ID_NOT_FOUND);

        assertThat(partition.failure()).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
        assertThat(ended).containsExactly(partition);
    }

    @Test
    void tellsOfWhatIsNotForMembers() {
        partition.load();

        acquire(hidden(0, 9));
        wakes.run();

        assertThat(told).containsExactly("start=10 done=0 []");
    }

    @Test
    void tellsOfWhatIsNotForMembersWithTheRecordsBeforeIt() {
        partition.load();
        acquire(visible(0, 9), hidden(10, 12));
        wakes.run();
        assertThat(told).isEmpty();

        acknowledge(0, 9, ACCEPT);
        written(0, Errors.NONE);

        assertThat(told).containsExactly("start=0 done=13 [0-9]");
    }

    @Test
    void tellsOfWhatWasLeftOutWhileTheRecordsBeforeItWereWritten() {
        partition.load();
        acquire();
        acknowledge(0, 9, ACCEPT);
        acquire(hidden(10, 12));
        wakes.run();
        assertThat(writes).hasSize(1);

        written(0, Errors.NONE);

        assertThat(told).containsExactly("start=0 done=10 [0-9]", "start=13 done=0 []");
    }

    @Test
    void tellsWhenAllThatCameBackIsInTheLogNoMore() {
        partition.load();
        acquire();
        acknowledge(0, 9, RELEASE);
        written(0, Errors.NONE);

        partition.logStartsAt(10);
        partition.load();

        assertThat(told).containsExactly("start=0 done=0 [0-9]", "start=10 done=0 []");
    }

    @Test
    void tellsAgainWithTheNextFetchWhatCouldNotBeWritten() {
        partition.load();
        acquire(hidden(0, 9));
        wakes.run();
        written(0, Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(writes).hasSize(1);

        partition.load();

        assertThat(told).containsExactly("start=10 done=0 []", "start=10 done=0 []");
        written(1, Errors.NONE);
        partition.load();
        assertThat(writes).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"COORDINATOR_NOT_AVAILABLE, 1", "NONE, 1", "FENCED_STATE_EPOCH, 0"})
    void recordsOfAMemberThatIsGoneBecomeDeadLettersUnlessTheyAreAnothersNow(Errors outcome, int letters) {
        groups.updateGroupConfig("g", deadLetterTopic());
        partition.load();
        acquire();
        acknowledge(0, 9, RELEASE);
        written(0, Errors.NONE);
        acquire();

        partition.release(MEMBER);
        written(1, outcome);

        assertThat(buried).hasSize(letters);
        assertThat(told.subList(2, told.size())).hasSize(letters).allMatch("start=10 done=0 [0-9]"::equals);
    }

    private static Properties deadLetterTopic() {
        Properties settings = new Properties();
        settings.setProperty("errors.deadletterqueue.topic.name", "dead");
        return settings;
    }

    private static String told(WriteShareGroupStateParameters parameters) {
        PartitionStateBatchData data = parameters
                .groupTopicPartitionData()
                .topicsData()
                .get(0)
                .partitions()
                .get(0);
        return "start=" + data.startOffset() + " done=" + data.deliveryCompleteCount() + " "
                + data.stateBatches().stream()
                        .map(batch -> batch.firstOffset() + "-" + batch.lastOffset())
                        .toList();
    }

    private static ReadBatch visible(long first, long last) {
        return new ReadBatch(first, last, 0, 100, true);
    }

    private static ReadBatch hidden(long first, long last) {
        return new ReadBatch(first, last, 0, 100, false);
    }

    private long acquire() {
        return acquire(visible(0, 9));
    }

    private long acquire(ReadBatch... batches) {
        Wanted wanted =
                new Wanted(new ShareSessionKey("g", MEMBER), 1, 0, 1, 1000, 100, 100, ShareAcquireMode.BATCH_OPTIMIZED);
        return partition
                .acquire(wanted, 100, batches[0].first(), List.of(batches))
                .count();
    }

    private CompletableFuture<Void> acknowledge(long first, long last, byte type) {
        return partition.acknowledge(MEMBER, List.of(new ShareAcknowledgementBatch(first, last, List.of(type))));
    }

    private void written(int index, Errors error) {
        writes.get(index)
                .complete(new WriteShareGroupStateResult.Builder()
                        .setTopicsData(List.of(new TopicData<>(
                                PARTITION.topicId(),
                                List.of(PartitionFactory.newPartitionErrorData(0, error.code(), null)))))
                        .build());
    }

    private static Errors error(CompletableFuture<Void> outcome) {
        try {
            outcome.get();
            return Errors.NONE;
        } catch (InterruptedException | ExecutionException fault) {
            return Errors.forException(fault.getCause());
        }
    }
}
