package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.Appended;
import io.gregor.internal.replication.Replicas.PartitionRecords;
import io.gregor.testing.Fake;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalMarkersTest {
    private static final TopicPartition DATA = new TopicPartition("t", 0);
    private static final TopicPartition MORE_DATA = new TopicPartition("t", 1);
    private static final TopicPartition OFFSETS = new TopicPartition("__consumer_offsets", 7);

    private final List<PartitionRecords> appended = new ArrayList<>();
    private final List<Appended> waiting = new ArrayList<>();
    private final CompletableFuture<Void> offsetsEnded = new CompletableFuture<>();
    private final List<Object> toldToGroups = new ArrayList<>();
    private final LocalMarkers markers = new LocalMarkers(
            Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
                case "log" -> logOf((TopicPartition) arguments[0]);
                case "append" -> append(arguments);
                default -> throw Fake.unexpected(method.getName());
            }),
            Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> {
                toldToGroups.addAll(List.of(arguments));
                return offsetsEnded;
            }),
            30_000);

    private UnifiedLog log;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        log = TestLog.open(directory, new ProducerStateManagerConfig(TestLog.EXPIRATION_MS, true));
    }

    @AfterEach
    void close() {
        log.close();
    }

    private Optional<UnifiedLog> logOf(TopicPartition partition) {
        return partition.topic().equals("gone") ? Optional.empty() : Optional.of(log);
    }

    @SuppressWarnings("unchecked")
    private @Nullable Object append(Object[] arguments) {
        assertThat(arguments[0]).isEqualTo((short) -1);
        assertThat(arguments[1]).isEqualTo(30_000L);
        assertThat(arguments[3]).isEqualTo(AppendOrigin.COORDINATOR);
        appended.addAll((List<PartitionRecords>) arguments[4]);
        waiting.add((Appended) arguments[6]);
        return null;
    }

    private static TxnMarkerEntry marker(TransactionResult result, TopicPartition... partitions) {
        return new TxnMarkerEntry(9, (short) 4, 2, result, List.of(partitions), (short) 2);
    }

    @Test
    void appendsOneControlBatchToEachPartition() {
        CompletableFuture<Map<TopicPartition, Errors>> results =
                markers.append(marker(TransactionResult.ABORT, DATA, MORE_DATA));
        assertThat(results).isNotDone();

        waiting.get(0)
                .acknowledged(
                        List.of(new PartitionResponse(Errors.NONE), new PartitionResponse(Errors.NOT_ENOUGH_REPLICAS)));

        assertThat(results.join()).isEqualTo(Map.of(DATA, Errors.NONE, MORE_DATA, Errors.NOT_ENOUGH_REPLICAS));
        assertThat(appended).hasSize(2);
        PartitionRecords first = appended.get(0);
        assertThat(first.transactionVersion()).isEqualTo((short) 2);
        MutableRecordBatch batch = first.records().batches().iterator().next();
        assertThat(batch.isControlBatch() && batch.isTransactional()).isTrue();
        assertThat(batch.producerId()).isEqualTo(9);
        assertThat(batch.producerEpoch()).isEqualTo((short) 4);
        EndTransactionMarker end =
                EndTransactionMarker.deserialize(batch.iterator().next());
        assertThat(end.controlType()).isEqualTo(ControlRecordType.ABORT);
        assertThat(end.coordinatorEpoch()).isEqualTo(2);
    }

    @Test
    void offsetsAreEndedByTheGroupCoordinator() {
        CompletableFuture<Map<TopicPartition, Errors>> results =
                markers.append(marker(TransactionResult.COMMIT, OFFSETS));
        assertThat(results).isNotDone();

        offsetsEnded.complete(null);

        assertThat(results.join()).isEqualTo(Map.of(OFFSETS, Errors.NONE));
        assertThat(toldToGroups).containsExactly(OFFSETS, 9L, (short) 4, 2, TransactionResult.COMMIT, (short) 2);
        assertThat(appended).isEmpty();
    }

    @Test
    void aGroupCoordinatorThatLoadsIsAPartitionWithoutLeader() {
        offsetsEnded.completeExceptionally(new CoordinatorLoadInProgressException("loading"));

        assertThat(markers.append(marker(TransactionResult.COMMIT, OFFSETS)).join())
                .isEqualTo(Map.of(OFFSETS, Errors.NOT_LEADER_OR_FOLLOWER));
    }

    @Test
    void tellsOfPartitionsThatAreNotHere() {
        TopicPartition gone = new TopicPartition("gone", 0);

        assertThat(markers.append(marker(TransactionResult.COMMIT, gone)).join())
                .isEqualTo(Map.of(gone, Errors.UNKNOWN_TOPIC_OR_PARTITION));
    }
}
