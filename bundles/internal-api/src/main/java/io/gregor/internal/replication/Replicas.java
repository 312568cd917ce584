package io.gregor.internal.replication;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.server.FetchManager;
import org.apache.kafka.server.LogAppendResult;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.partition.PartitionListener;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.RecordValidationStats;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of this broker. A service of replication with the property {@code role}, there once the first metadata image
 * is applied. Shared: any thread; nothing here waits for another node, what takes time is told to a callback.
 */
public interface Replicas {
    /**
     * Records for one partition.
     *
     * @param guard of a verified transaction; {@link VerificationGuard#SENTINEL} where nothing was verified
     * @param transactionVersion of a marker, the protocol version of the transaction that it ends; 0 else
     */
    record PartitionRecords(
            TopicIdPartition partition, MemoryRecords records, VerificationGuard guard, short transactionVersion) {
        /** Records to which no transaction that has to be verified belongs. */
        public PartitionRecords(TopicIdPartition partition, MemoryRecords records) {
            this(partition, records, VerificationGuard.SENTINEL, (short) 0);
        }

        /** The same records, of a transaction that was verified. */
        public PartitionRecords guardedBy(VerificationGuard verified) {
            return new PartitionRecords(partition, records, verified, transactionVersion);
        }
    }

    /** What is asked of one partition. */
    record PartitionFetch(TopicIdPartition partition, FetchRequest.PartitionData request) {}

    /** Who appends and waits for the acknowledgement. */
    interface Appended {
        /** Is told what it took to check the records of a partition; on the appending thread, before {@link #acknowledged}. */
        default void checked(RecordValidationStats stats) {}

        /** Is told once, on this or another thread, with one response for each element, in the same order. */
        void acknowledged(List<PartitionResponse> responses);
    }

    /** The answer to a look-up by timestamp; each field is -1 where there is none. */
    record FoundOffset(long offset, long timestamp, int leaderEpoch) {}

    /**
     * What a ListOffsets request asks of one partition.
     *
     * @param timestamp milliseconds, or one of the negative values of the protocol
     * @param currentLeaderEpoch what the client believes; -1 to leave it unchecked
     */
    record OffsetQuery(TopicPartition partition, long timestamp, int currentLeaderEpoch) {}

    /** Who leads a partition as far as this broker knows; each is -1 where it does not. */
    record KnownLeader(int leaderId, int leaderEpoch) {}

    /**
     * Appends to local leaders and tells when the records are acknowledged: at once, unless {@code requiredAcks} is -1 and
     * followers are to be waited for. Reads that wait for the records are completed after that, before this returns. No
     * exception is thrown for a record or a partition that cannot be had: its response has the error.
     *
     * @param requiredAcks -1, 0 or 1; anything else is answered with INVALID_REQUIRED_ACKS
     * @param timeoutMs how long followers are waited for
     * @param records in any order; a partition that is there twice is appended to twice
     * @param local buffers of the calling thread
     * @param done who is told
     */
    void append(
            short requiredAcks,
            long timeoutMs,
            boolean internalTopicsAllowed,
            AppendOrigin origin,
            List<PartitionRecords> records,
            RequestLocal local,
            Appended done);

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

    /**
     * Reads from partitions: at once if there is enough, nothing to wait for, or an error; else when one of that comes about
     * or the time is over.
     *
     * @param params who reads, how long it waits, how much it wants
     * @param done called once, on this or another thread, with one element for each partition, in the same order; records
     *     are slices of the log's files
     * @return ends the wait, so that {@code done} is called with what there is; has no effect when it has been. Null if
     *     nothing is waited for
     */
    @Nullable
    Runnable fetch(FetchParams params, List<PartitionFetch> partitions, Consumer<List<FetchPartitionData>> done);

    /** The incremental fetch sessions of this broker (KIP-227). */
    FetchManager fetchSessions();

    /**
     * The first offset whose record is not older than a timestamp, or one of the special offsets.
     *
     * @param timestamp milliseconds, or one of the negative values of the ListOffsets protocol
     * @param isolation how far the asker may see: a consumer to the high watermark or the last stable offset
     * @param currentLeaderEpoch what the client believes; -1 to leave it unchecked
     * @throws org.apache.kafka.common.errors.ApiException with the error for the client
     */
    FoundOffset offsetForTimestamp(
            TopicPartition partition,
            long timestamp,
            FetchIsolation isolation,
            int currentLeaderEpoch,
            boolean onlyFromLeader);

    /**
     * The same for the partitions of a ListOffsets request. What is in remote storage is searched on threads of its own, with the
     * result told when the last of them has ended or the time is over; all else is told at once.
     *
     * @param version of the request: what its client knows of errors and leader epochs
     * @param timeoutMs how long remote storage is searched; 0 for the broker's own limit
     * @param done called once, on this or another thread, with the topics of the request in any order
     */
    void findOffsets(
            List<OffsetQuery> asked,
            FetchIsolation isolation,
            boolean onlyFromLeader,
            short version,
            long timeoutMs,
            Consumer<Collection<ListOffsetsTopicResponse>> done);

    /**
     * Where the records of an epoch, or of the last one before it, end. Errors are in the result.
     *
     * @param currentLeaderEpoch what the client believes; -1 to leave it unchecked
     */
    EpochEndOffset endOfEpoch(TopicPartition partition, int currentLeaderEpoch, int leaderEpoch);

    /**
     * Moves the start of led partitions' logs up; told when the followers have followed or the time is over.
     *
     * @param offsets the new start of each partition, -1 for its high watermark
     * @param done called once, on this or another thread, with the result of each partition
     */
    void deleteRecords(
            long timeoutMs,
            Map<TopicPartition, Long> offsets,
            boolean internalTopicsAllowed,
            Consumer<Map<TopicPartition, DeleteRecordsPartitionResult>> done);

    /** Moves the start of a led partition's log up to an offset; ends when the followers have followed. */
    CompletableFuture<Void> deleteRecordsBefore(TopicPartition partition, long offset, boolean internalTopicsAllowed);

    /** The producers that a led partition knows; errors are in the result. */
    DescribeProducersResponseData.PartitionResponse activeProducers(TopicPartition partition);

    /** Watches a partition of this broker; false if it is not here. Calls come on the thread that made the change. */
    boolean watch(TopicPartition partition, PartitionListener listener);

    /** Ends a {@link #watch}. */
    void unwatch(TopicPartition partition, PartitionListener listener);

    /**
     * Tells whoever waits for records by means of its own that more of a partition is visible to consumers, or that it is led
     * from here no longer. Called on the thread that brought it about, with no lock of the partition held; must not block.
     *
     * @return ends it
     */
    Runnable whenVisible(Consumer<TopicPartitionOperationKey> told);

    /** The log of an online partition of this broker. */
    Optional<UnifiedLog> log(TopicPartition partition);

    /** Who leads a partition, here or elsewhere. */
    KnownLeader leader(TopicPartition partition);

    /** Whether this broker leads the partition now. */
    boolean isLeader(TopicPartition partition);

    /** Counters of topics, shared by all who append and read. */
    BrokerTopicStats topicStats();
}
