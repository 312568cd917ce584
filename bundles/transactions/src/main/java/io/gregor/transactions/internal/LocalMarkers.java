package io.gregor.transactions.internal;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.PartitionRecords;
import io.gregor.internal.transactions.TransactionMarkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/** Appends markers to the partitions of this broker. Shared: any thread. */
public final class LocalMarkers implements TransactionMarkers {
    private static final short ALL_IN_SYNC = -1;

    private final Replicas replicas;
    private final GroupCoordinator groups;
    private final long timeoutMs;

    /**
     * Markers in these partitions.
     *
     * @param groups who appends to the partitions of {@code __consumer_offsets}
     * @param timeoutMs how long followers are waited for
     */
    public LocalMarkers(Replicas replicas, GroupCoordinator groups, long timeoutMs) {
        this.replicas = replicas;
        this.groups = groups;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public CompletableFuture<Map<TopicPartition, Errors>> append(TxnMarkerEntry marker) {
        Map<TopicPartition, Errors> results = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        List<PartitionRecords> records = new ArrayList<>();
        for (TopicPartition partition : marker.partitions()) {
            UnifiedLog log = replicas.log(partition).orElse(null);
            if (log == null) {
                results.put(partition, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            } else if (partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
                ends.add(endOffsets(marker, partition).thenAccept(error -> results.put(partition, error)));
            } else {
                records.add(recordsOf(marker, new TopicIdPartition(log.topicId().orElse(Uuid.ZERO_UUID), partition)));
            }
        }
        if (!records.isEmpty()) {
            ends.add(append(records, results));
        }
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).thenApply(all -> results);
    }

    private CompletableFuture<Void> append(List<PartitionRecords> records, Map<TopicPartition, Errors> results) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        replicas.append(
                ALL_IN_SYNC,
                timeoutMs,
                true,
                AppendOrigin.COORDINATOR,
                records,
                RequestLocal.noCaching(),
                (List<PartitionResponse> responses) -> {
                    for (int i = 0; i < responses.size(); i++) {
                        results.put(records.get(i).partition().topicPartition(), responses.get(i).error);
                    }
                    end.complete(null);
                });
        return end;
    }

    private static PartitionRecords recordsOf(TxnMarkerEntry marker, TopicIdPartition partition) {
        ControlRecordType type = marker.transactionResult() == TransactionResult.COMMIT
                ? ControlRecordType.COMMIT
                : ControlRecordType.ABORT;
        MemoryRecords records = MemoryRecords.withEndTransactionMarker(
                marker.producerId(), marker.producerEpoch(), new EndTransactionMarker(type, marker.coordinatorEpoch()));
        return new PartitionRecords(partition, records, VerificationGuard.SENTINEL, marker.transactionVersion());
    }

    private CompletableFuture<Errors> endOffsets(TxnMarkerEntry marker, TopicPartition partition) {
        return groups.completeTransaction(
                        partition,
                        marker.producerId(),
                        marker.producerEpoch(),
                        marker.coordinatorEpoch(),
                        marker.transactionResult(),
                        marker.transactionVersion())
                .handle((ended, fault) -> fault == null ? Errors.NONE : asOfAPartition(Errors.forException(fault)));
    }

    /** The transaction coordinator asks for a partition: it waits for a leader, and knows nothing of group coordinators. */
    private static Errors asOfAPartition(Errors error) {
        return switch (error) {
            case COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS, NOT_COORDINATOR ->
                Errors.NOT_LEADER_OR_FOLLOWER;
            default -> error;
        };
    }
}
