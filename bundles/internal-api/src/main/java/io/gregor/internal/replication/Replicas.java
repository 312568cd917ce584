package io.gregor.internal.replication;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.server.LogAppendResult;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.partition.PartitionListener;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/** The partitions of this broker. A service of replication, there once the first metadata image is applied. */
public interface Replicas {
    /**
     * Appends to local leaders, at once. Waiting reads are looked at before it returns; acknowledgement by followers is not
     * waited for. Any thread.
     *
     * @param requiredAcks -1, 0 or 1: -1 checks {@code min.insync.replicas}
     * @param transactionVersion the transaction protocol's version of the producer, 0 without transaction
     * @return the result of each partition
     */
    Map<TopicIdPartition, LogAppendResult> appendToLeaders(
            short requiredAcks,
            boolean internalTopicsAllowed,
            AppendOrigin origin,
            Map<TopicIdPartition, MemoryRecords> records,
            RequestLocal local,
            Map<TopicPartition, VerificationGuard> guards,
            short transactionVersion);

    /** Watches a partition of this broker; false if it is not here. Calls come on the thread that made the change. */
    boolean watch(TopicPartition partition, PartitionListener listener);

    /** Ends a {@link #watch}. */
    void unwatch(TopicPartition partition, PartitionListener listener);

    /** The log of an online partition of this broker. */
    Optional<UnifiedLog> log(TopicPartition partition);

    /** Moves the start of a led partition's log up to an offset; ends when the followers have followed. */
    CompletableFuture<Void> deleteRecordsBefore(TopicPartition partition, long offset, boolean internalTopicsAllowed);
}
