package io.gregor.replication.internal;

import static io.gregor.replication.internal.TestBroker.from;
import static io.gregor.replication.internal.TestBroker.noTopic;
import static io.gregor.replication.internal.TestBroker.partition;
import static io.gregor.replication.internal.TestBroker.records;
import static io.gregor.replication.internal.TestBroker.setting;
import static io.gregor.replication.internal.TestBroker.topic;
import static io.gregor.replication.internal.TestBroker.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.internal.replication.Replicas.OffsetQuery;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteReadsTest {
    private static final TopicIdPartition ONE = new TopicIdPartition(Uuid.randomUuid(), 0, "one");
    private static final TopicIdPartition TWO = new TopicIdPartition(Uuid.randomUuid(), 0, "two");
    private static final int PLENTY = 1_000_000;

    @TempDir
    Path home;

    private final CountDownLatch held = new CountDownLatch(1);
    private TestBroker broker;

    @AfterEach
    void stop() {
        held.countDown();
        broker.close();
    }

    /** Two tiered topics; each of these records is in a remote segment of its own, and {@code z} is local. */
    private void start(Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of(
                "remote.log.storage.system.enable", "true",
                "remote.log.manager.task.interval.ms", "20",
                "remote.fetch.max.wait.ms", "10000"));
        all.putAll(settings);
        broker = new TestBroker(
                home,
                1,
                all,
                topic(ONE),
                setting(ONE, "remote.storage.enable", "true"),
                setting(ONE, "local.retention.ms", "1"),
                partition(ONE, List.of(1), List.of(1)),
                topic(TWO),
                setting(TWO, "remote.storage.enable", "true"),
                setting(TWO, "local.retention.ms", "1"),
                partition(TWO, List.of(1), List.of(1)));
        for (TopicIdPartition partition : List.of(ONE, TWO)) {
            broker.tier(partition, "a", "b");
            broker.produce((short) 1, partition, records("z"));
        }
    }

    private void holdReads() {
        broker.remote().segments.beforeRead = partition -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new RemoteStorageException(e);
            }
        };
    }

    private CompletableFuture<List<FetchPartitionData>> fetch(int replicaId, int maxBytes, PartitionFetch... asked) {
        CompletableFuture<List<FetchPartitionData>> done = new CompletableFuture<>();
        FetchParams params =
                new FetchParams(replicaId, replicaId, 0, 1, maxBytes, FetchIsolation.HIGH_WATERMARK, Optional.empty());
        broker.replicas.fetch(params, List.of(asked), done::complete);
        return done;
    }

    private CompletableFuture<List<FetchPartitionData>> fetch(PartitionFetch... asked) {
        return fetch(FetchRequest.CONSUMER_REPLICA_ID, PLENTY, asked);
    }

    private static PartitionFetch atMost(int maxBytes, TopicIdPartition partition) {
        return new PartitionFetch(
                partition, new FetchRequest.PartitionData(partition.topicId(), 0, -1, maxBytes, Optional.empty()));
    }

    private static FetchPartitionData only(CompletableFuture<List<FetchPartitionData>> fetched) {
        return fetched.join().get(0);
    }

    @Test
    void whatIsRemoteAndWhatIsLocalIsAnsweredAsAsked() throws Exception {
        start(Map.of());

        List<FetchPartitionData> read = fetch(from(TWO, 2), from(ONE, 1)).join();

        assertThat(values(read.get(0))).containsExactly("z");
        assertThat(values(read.get(1))).containsExactly("b");
        assertThat(read).extracting(one -> one.highWatermark).containsExactly(3L, 3L);
    }

    @Test
    void noSecondPartitionIsReadWhenTheFirstMayUseUpTheResponse() throws Exception {
        start(Map.of());

        List<FetchPartitionData> read = fetch(from(ONE, 0), from(TWO, 0)).join();

        assertThat(values(read.get(0))).containsExactly("a");
        assertThat(values(read.get(1))).isEmpty();
        assertThat(read.get(1).error).isEqualTo(Errors.NONE);
        assertThat(broker.remote().segments.reads).containsExactly(ONE.topicPartition());
    }

    @Test
    void theSecondPartitionGetsWhatTheFirstMayNotUse() throws Exception {
        start(Map.of());
        int size = only(fetch(from(ONE, 0))).records.sizeInBytes();

        List<FetchPartitionData> both =
                fetch(-1, 2 * size, atMost(size, ONE), atMost(PLENTY, TWO)).join();
        List<FetchPartitionData> first =
                fetch(-1, 2 * size - 1, atMost(size, ONE), atMost(PLENTY, TWO)).join();

        assertThat(both).extracting(one -> one.records.sizeInBytes()).containsExactly(size, size);
        assertThat(first).extracting(one -> one.records.sizeInBytes()).containsExactly(size, 0);
    }

    @Test
    void aPartitionOfWhichNothingIsWantedIsNotRead() throws Exception {
        start(Map.of());

        assertThat(values(only(fetch(atMost(0, ONE))))).isEmpty();
        assertThat(broker.remote().segments.reads).isEmpty();
    }

    @Test
    void aFullQueueOfReadersFailsTheRead() throws Exception {
        start(Map.of("remote.log.reader.threads", "1", "remote.log.reader.max.pending.tasks", "1"));
        holdReads();
        CompletableFuture<List<FetchPartitionData>> running = fetch(from(ONE, 0));
        await().until(() -> !broker.remote().segments.reads.isEmpty());
        CompletableFuture<List<FetchPartitionData>> queued = fetch(from(ONE, 1));

        List<FetchPartitionData> refused =
                fetch(atMost(1_000, ONE), from(TWO, 2)).join();
        held.countDown();

        assertThat(refused.get(0).error).isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
        assertThat(values(refused.get(1))).containsExactly("z");
        assertThat(values(only(running))).containsExactly("a");
        assertThat(values(only(queued))).containsExactly("b");
    }

    @Test
    void aFullQueueOfReadersFailsOnlyTheSearchesThatNeedIt() throws Exception {
        start(Map.of("remote.log.reader.threads", "1", "remote.log.reader.max.pending.tasks", "1"));
        holdReads();
        CompletableFuture<List<FetchPartitionData>> running = fetch(from(ONE, 0));
        await().until(() -> !broker.remote().segments.reads.isEmpty());
        CompletableFuture<List<FetchPartitionData>> queued = fetch(from(ONE, 1));

        Map<String, ListOffsetsPartitionResponse> found = new HashMap<>();
        broker.replicas.findOffsets(
                List.of(
                        new OffsetQuery(ONE.topicPartition(), TestBroker.START_MS, -1),
                        new OffsetQuery(TWO.topicPartition(), -1, -1)),
                FetchIsolation.HIGH_WATERMARK,
                true,
                (short) 10,
                0,
                topics -> topics.forEach(
                        topic -> found.put(topic.name(), topic.partitions().get(0))));
        held.countDown();

        assertThat(found.get("one").errorCode()).isEqualTo(Errors.UNKNOWN_SERVER_ERROR.code());
        assertThat(found.get("two").offset()).isEqualTo(3);
        assertThat(values(only(running))).containsExactly("a");
        assertThat(values(only(queued))).containsExactly("b");
    }

    @Test
    void aSearchByTimestampEndsWithItsTask() throws Exception {
        start(Map.of());
        CompletableFuture<Long> found = new CompletableFuture<>();
        broker.replicas.findOffsets(
                List.of(new OffsetQuery(ONE.topicPartition(), TestBroker.START_MS, -1)),
                FetchIsolation.HIGH_WATERMARK,
                true,
                (short) 10,
                0,
                topics -> found.complete(
                        topics.iterator().next().partitions().get(0).offset()));

        assertThat(found.join()).isZero();
    }

    @Test
    void aReadThatTakesTooLongIsAnsweredWithoutRecords() throws Exception {
        start(Map.of("remote.fetch.max.wait.ms", "30"));
        holdReads();

        FetchPartitionData late = only(fetch(from(ONE, 0)));

        assertThat(late.error).isEqualTo(Errors.NONE);
        assertThat(values(late)).isEmpty();
        assertThat(late.highWatermark).isEqualTo(3);
    }

    @Test
    void aPluginThatFailsFailsItsReadAlone() throws Exception {
        start(Map.of());
        broker.remote().segments.beforeRead = partition -> {
            throw new RemoteStorageException("broken");
        };

        List<FetchPartitionData> read = fetch(atMost(1_000, ONE), from(TWO, 2)).join();

        assertThat(read.get(0).error).isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
        assertThat(values(read.get(1))).containsExactly("z");
    }

    @Test
    void nothingIsReadWhileTheQuotaIsUsedUp() throws Exception {
        start(Map.of("remote.log.manager.fetch.max.bytes.per.second", "1"));
        assertThat(values(only(fetch(from(ONE, 0))))).containsExactly("a");

        FetchPartitionData throttled = only(fetch(from(ONE, 0)));

        assertThat(throttled.error).isEqualTo(Errors.NONE);
        assertThat(values(throttled)).isEmpty();
        assertThat(broker.remote().segments.reads).hasSize(1);
    }

    @Test
    void aFollowerIsToldThatTheOffsetIsInRemoteStorage() throws Exception {
        start(Map.of());
        broker.apply(
                TestBroker.broker(2, 2),
                TestBroker.change(ONE)
                        .setReplicas(List.of(1, 2))
                        .setDirectories(List.of(Uuid.ZERO_UUID, Uuid.ZERO_UUID)));

        assertThat(only(fetch(2, PLENTY, from(ONE, 0))).error).isEqualTo(Errors.OFFSET_MOVED_TO_TIERED_STORAGE);
    }

    @Test
    void aDeletedPartitionEndsTheWait() throws Exception {
        start(Map.of());
        holdReads();
        CompletableFuture<List<FetchPartitionData>> waiting = fetch(from(ONE, 0));
        await().until(() -> !broker.remote().segments.reads.isEmpty());

        broker.apply(noTopic(ONE));

        assertThat(values(only(waiting))).isEmpty();
    }
}
