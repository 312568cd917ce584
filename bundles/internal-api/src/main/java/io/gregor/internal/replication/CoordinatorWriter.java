package io.gregor.internal.replication;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.server.LogAppendResult;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.partition.PartitionListener;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/**
 * Writes the records of a coordinator, which belong to no transactions, into the partitions of this broker; the coordinator
 * itself waits for the high watermark. Shared: any thread.
 */
public class CoordinatorWriter implements PartitionWriter {
    /** The leader's own log is enough. */
    public static final short ACKS_LEADER = 1;

    /** Nothing is written while fewer than {@code min.insync.replicas} could know of it. */
    public static final short ACKS_ALL = -1;

    private final Replicas replicas;
    private final short requiredAcks;

    /**
     * A writer to these partitions.
     *
     * @param requiredAcks {@link #ACKS_LEADER} or {@link #ACKS_ALL}
     */
    public CoordinatorWriter(Replicas replicas, short requiredAcks) {
        this.replicas = replicas;
        this.requiredAcks = requiredAcks;
    }

    @Override
    public void registerListener(TopicPartition partition, Listener listener) {
        replicas.watch(partition, new HighWatermarkRelay(listener));
    }

    @Override
    public void deregisterListener(TopicPartition partition, Listener listener) {
        replicas.unwatch(partition, new HighWatermarkRelay(listener));
    }

    @Override
    public LogConfig config(TopicPartition partition) {
        return log(partition).config();
    }

    @Override
    public long append(
            TopicPartition partition, VerificationGuard guard, MemoryRecords records, short transactionVersion) {
        TopicIdPartition target =
                new TopicIdPartition(log(partition).topicId().orElseThrow(() -> notHere(partition)), partition);
        LogAppendResult result = replicas.appendToLeaders(
                        requiredAcks,
                        true,
                        AppendOrigin.COORDINATOR,
                        Map.of(target, records),
                        RequestLocal.noCaching(),
                        Map.of(partition, guard),
                        transactionVersion)
                .get(target);
        if (result == null) {
            throw new IllegalStateException("append has no result: partition=" + target);
        }
        if (result.error() != Errors.NONE) {
            throw result.error().exception(result.errorMessage());
        }
        return result.logAppendSummary().lastOffset() + 1;
    }

    @Override
    public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
            TopicPartition partition, String transactionalId, long producerId, short producerEpoch, int apiVersion) {
        return CompletableFuture.completedFuture(VerificationGuard.SENTINEL);
    }

    @Override
    public CompletableFuture<Void> deleteRecords(TopicPartition partition, long beforeOffset) {
        return replicas.deleteRecordsBefore(partition, beforeOffset, true);
    }

    private UnifiedLog log(TopicPartition partition) {
        return replicas.log(partition).orElseThrow(() -> notHere(partition));
    }

    private static NotLeaderOrFollowerException notHere(TopicPartition partition) {
        return new NotLeaderOrFollowerException("partition has no online log here: partition=" + partition);
    }

    /** Immutable. Two relays to the same listener are equal, so that it can be taken out again. */
    private record HighWatermarkRelay(Listener listener) implements PartitionListener {
        @Override
        public void onHighWatermarkUpdated(TopicPartition partition, long offset) {
            listener.onHighWatermarkUpdated(partition, offset);
        }
    }
}
