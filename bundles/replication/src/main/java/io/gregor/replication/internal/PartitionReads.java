package io.gregor.replication.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords.TimestampAndOffset;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.server.replica.Replica;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.storage.internals.log.AsyncOffsetReader;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogOffsetSnapshot;
import org.apache.kafka.storage.internals.log.LogReadInfo;
import org.apache.kafka.storage.internals.log.OffsetResultHolder;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/** What is asked of one partition's log. No state; each read is under the partition's read lock. Immutable. */
final class PartitionReads {
    private static final int UNCHECKED_EPOCH = RecordBatch.NO_PARTITION_LEADER_EPOCH;

    private PartitionReads() {}

    /** Reads records as a slice of the log's files; throws what the client is to be told. */
    static LogReadInfo read(
            Partition partition,
            FetchParams params,
            FetchRequest.PartitionData request,
            int maxBytes,
            boolean minOneMessage) {
        partition.steady().lock();
        try {
            int leaderEpoch = request.currentLeaderEpoch.orElse(UNCHECKED_EPOCH);
            UnifiedLog log = partition.logFor(leaderEpoch, params.fetchOnlyLeader());
            if (params.isFromFollower()) {
                requireFollower(partition, params.replicaId, request);
            }
            long highWatermark = log.highWatermark();
            long start = log.logStartOffset();
            long end = log.logEndOffset();
            long lastStable = log.lastStableOffset();
            Optional<FetchResponseData.EpochEndOffset> diverging = divergence(log, request, start, end);
            FetchDataInfo data = diverging.isPresent()
                    ? FetchDataInfo.empty(request.fetchOffset)
                    : log.read(request.fetchOffset, maxBytes, params.isolation, minOneMessage);
            return new LogReadInfo(data, diverging, highWatermark, start, end, lastStable);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            partition.steady().unlock();
        }
    }

    /** What the leader knows of a follower; one that it does not know yet is to come again. */
    static Replica requireFollower(Partition partition, int brokerId, FetchRequest.PartitionData request) {
        Replica replica = partition.replicas().remote(brokerId);
        if (replica == null) {
            Errors error = request.currentLeaderEpoch.isPresent()
                    ? Errors.UNKNOWN_LEADER_EPOCH
                    : Errors.NOT_LEADER_OR_FOLLOWER;
            throw error.exception("no replica of partition=" + partition.topicPartition() + " on broker " + brokerId
                    + " is known here: " + partition.replicas());
        }
        return replica;
    }

    /** Where the reader's log and this one part, if the epoch that it read last ended earlier here (KIP-595). */
    private static Optional<FetchResponseData.EpochEndOffset> divergence(
            UnifiedLog log, FetchRequest.PartitionData request, long start, long end) {
        if (request.lastFetchedEpoch.isEmpty()) {
            return Optional.empty();
        }
        int fetchedEpoch = request.lastFetchedEpoch.get();
        Optional<OffsetAndEpoch> epochEnd = log.endOffsetForEpoch(fetchedEpoch);
        if (epochEnd.isEmpty()) {
            throw new OffsetOutOfRangeException("Could not determine the end offset of the last fetched epoch "
                    + fetchedEpoch + " from the request");
        }
        if (request.fetchOffset < start) {
            throw new OffsetOutOfRangeException("Received request for offset " + request.fetchOffset + " for partition "
                    + log.topicPartition() + ", but we only have log segments in the range " + start + " to " + end
                    + ".");
        }
        OffsetAndEpoch found = epochEnd.get();
        return found.epoch() < fetchedEpoch || found.offset() < request.fetchOffset
                ? Optional.of(new FetchResponseData.EpochEndOffset()
                        .setEpoch(found.epoch())
                        .setEndOffset(found.offset()))
                : Optional.empty();
    }

    /** Whether a read that waits would now find that its log and this one have parted. */
    static boolean isDiverging(Partition partition, FetchRequest.PartitionData request) {
        if (request.lastFetchedEpoch.isEmpty()) {
            return false;
        }
        EpochEndOffset end = endOfEpoch(
                partition, request.currentLeaderEpoch.orElse(UNCHECKED_EPOCH), request.lastFetchedEpoch.get(), false);
        return end.errorCode() != Errors.NONE.code()
                || end.endOffset() == OffsetsForLeaderEpochResponse.UNDEFINED_EPOCH_OFFSET
                || end.leaderEpoch() == OffsetsForLeaderEpochResponse.UNDEFINED_EPOCH
                || end.leaderEpoch() < request.lastFetchedEpoch.get()
                || end.endOffset() < request.fetchOffset;
    }

    /** Start, end, high watermark and last stable offset at one moment. */
    static LogOffsetSnapshot offsets(Partition partition, int currentLeaderEpoch, boolean onlyLeader) {
        partition.steady().lock();
        try {
            return partition.logFor(currentLeaderEpoch, onlyLeader).fetchOffsetSnapshot();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            partition.steady().unlock();
        }
    }

    /** Where the records of an epoch, or of the last one before it, end. */
    static EpochEndOffset endOfEpoch(Partition partition, int currentLeaderEpoch, int leaderEpoch, boolean onlyLeader) {
        EpochEndOffset answer =
                new EpochEndOffset().setPartition(partition.topicPartition().partition());
        partition.steady().lock();
        try {
            partition
                    .logFor(currentLeaderEpoch, onlyLeader)
                    .endOffsetForEpoch(leaderEpoch)
                    .ifPresent(found -> answer.setLeaderEpoch(found.epoch()).setEndOffset(found.offset()));
        } catch (ApiException e) {
            answer.setErrorCode(Errors.forException(e).code());
        } finally {
            partition.steady().unlock();
        }
        return answer;
    }

    /**
     * The first offset that is not older than a timestamp, or one of the special ones; with it how far the asker may see, and
     * what it is told instead while this leader does not know that yet.
     *
     * @param remote searches remote segments, on threads of its own; empty without remote storage
     */
    static OffsetResultHolder offsetForTimestamp(
            Partition partition,
            long timestamp,
            FetchIsolation isolation,
            int currentLeaderEpoch,
            boolean onlyLeader,
            Optional<AsyncOffsetReader> remote) {
        partition.steady().lock();
        try {
            UnifiedLog log = partition.logFor(currentLeaderEpoch, onlyLeader);
            if (isEarliest(timestamp)) {
                return log.fetchOffsetByTimestamp(timestamp, remote);
            }
            long visibleEnd = visibleEnd(log, isolation);
            Optional<ApiException> lagging = lagging(partition, log, isolation);
            if (timestamp == ListOffsetsRequest.LATEST_TIMESTAMP) {
                if (lagging.isPresent()) {
                    throw lagging.get();
                }
                int leaderEpoch = partition.leadership().leaderEpoch();
                return new OffsetResultHolder(
                        new TimestampAndOffset(RecordBatch.NO_TIMESTAMP, visibleEnd, Optional.of(leaderEpoch)));
            }
            OffsetResultHolder holder = log.fetchOffsetByTimestamp(timestamp, remote);
            holder.maybeOffsetsError(lagging);
            holder.lastFetchableOffset(Optional.of(visibleEnd));
            return holder;
        } finally {
            partition.steady().unlock();
        }
    }

    private static boolean isEarliest(long timestamp) {
        return timestamp == ListOffsetsRequest.EARLIEST_TIMESTAMP
                || timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP;
    }

    private static long visibleEnd(UnifiedLog log, FetchIsolation isolation) {
        return switch (isolation) {
            case LOG_END -> log.logEndOffset();
            case HIGH_WATERMARK -> log.highWatermark();
            case TXN_COMMITTED -> log.lastStableOffset();
        };
    }

    /** A new leader does not know yet how far its predecessor's high watermark was. */
    private static Optional<ApiException> lagging(Partition partition, UnifiedLog log, FetchIsolation isolation) {
        Leadership leadership = partition.leadership();
        if (isolation == FetchIsolation.LOG_END || leadership.epochStartOffset() <= log.highWatermark()) {
            return Optional.empty();
        }
        return Optional.of(Errors.OFFSET_NOT_AVAILABLE.exception("Failed to fetch offsets for partition "
                + partition.topicPartition() + " with leader epoch " + leadership.leaderEpoch()
                + " as this partition's high watermark (" + log.highWatermark()
                + ") is lagging behind the start offset from the beginning of this epoch ("
                + leadership.epochStartOffset() + ")."));
    }

    /** The producers that the leader knows. */
    static DescribeProducersResponseData.PartitionResponse producers(Partition partition) {
        DescribeProducersResponseData.PartitionResponse answer = new DescribeProducersResponseData.PartitionResponse()
                .setPartitionIndex(partition.topicPartition().partition());
        UnifiedLog log = partition.leaderLog();
        return log == null
                ? answer.setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code())
                : answer.setActiveProducers(log.activeProducers());
    }
}
