package io.gregor.replication.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.DeleteRecordsRequest;
import org.apache.kafka.server.LogAppendResult.LogAppendSummary;
import org.apache.kafka.server.LogDeleteRecordsResult;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.purgatory.DelayedProduce.PartitionStatusValidator;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LeaderHwChange;
import org.apache.kafka.storage.internals.log.LogAppendInfo;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/**
 * What the leader of one partition does to its log: append, let the high watermark follow, delete records. No state; the
 * partition's read lock is taken where a leadership change must not come in between. Immutable.
 */
final class PartitionAppends {
    private static final int ALL_IN_SYNC = -1;

    private PartitionAppends() {}

    /** Appends to the local leader. Waiting operations are the caller's to look at, by the summary's high watermark change. */
    static LogAppendSummary append(
            Partition partition,
            MemoryRecords records,
            AppendOrigin origin,
            int requiredAcks,
            RequestLocal local,
            VerificationGuard guard,
            short transactionVersion) {
        partition.steady().lock();
        try {
            Leadership leadership = partition.leadership();
            UnifiedLog log = partition.leaderLog();
            if (log == null) {
                throw notLeader(partition);
            }
            if (requiredAcks == ALL_IN_SYNC) {
                requireEnoughInSync(partition, log);
            }
            LogAppendInfo appended =
                    log.appendAsLeader(records, leadership.leaderEpoch(), origin, local, guard, transactionVersion);
            boolean advanced = advanceHighWatermark(partition, log);
            return new LogAppendSummary(
                    appended.firstOffset(),
                    appended.lastOffset(),
                    appended.logAppendTime(),
                    appended.logStartOffset(),
                    appended.recordValidationStats(),
                    appended.recordErrors(),
                    advanced ? LeaderHwChange.INCREASED : LeaderHwChange.SAME);
        } finally {
            partition.steady().unlock();
        }
    }

    private static void requireEnoughInSync(Partition partition, UnifiedLog log) {
        int inSync = partition.replicas().isr().size();
        int needed = partition.replicas().minInSync(log);
        if (inSync < needed) {
            throw new NotEnoughReplicasException("The size of the current ISR "
                    + partition.replicas().isr() + " is insufficient to satisfy the min.isr requirement of " + needed
                    + " for partition " + partition.topicPartition());
        }
    }

    /**
     * Moves the high watermark up to where all counted replicas are, unless too few are in sync (KIP-966).
     *
     * @return whether it moved
     */
    static boolean advanceHighWatermark(Partition partition, UnifiedLog leaderLog) {
        InSyncReplicas replicas = partition.replicas();
        if (replicas.isr().size() < replicas.minInSync(leaderLog)) {
            return false;
        }
        LogOffsetMetadata replicated = replicas.replicatedUpTo(
                leaderLog.logEndOffsetMetadata(),
                partition.broker().time(),
                partition.broker().maxLagMs());
        try {
            return leaderLog.maybeIncrementHighWatermark(replicated).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether what was appended before an offset is acknowledged by all in sync. */
    static PartitionStatusValidator.Result acknowledged(Partition partition, long requiredOffset) {
        UnifiedLog log = partition.leaderLog();
        if (log == null) {
            return new PartitionStatusValidator.Result(false, Errors.NOT_LEADER_OR_FOLLOWER);
        }
        InSyncReplicas replicas = partition.replicas();
        if (log.highWatermark() < requiredOffset) {
            return new PartitionStatusValidator.Result(false, Errors.NONE);
        }
        boolean enough = replicas.minInSync(log) <= replicas.maximalIsr().size();
        return new PartitionStatusValidator.Result(
                true, enough ? Errors.NONE : Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND);
    }

    /** Moves the start of the log up; the result tells how far living followers are with it. */
    static LogDeleteRecordsResult deleteRecords(Partition partition, long offset) {
        partition.steady().lock();
        try {
            UnifiedLog log = partition.leaderLog();
            if (log == null) {
                throw notLeader(partition);
            }
            if (log.config().compact && !log.config().delete) {
                throw new PolicyViolationException("Records of partition " + partition.topicPartition()
                        + " can not be deleted due to the configured policy");
            }
            long start = offset == DeleteRecordsRequest.HIGH_WATERMARK ? log.highWatermark() : offset;
            if (start < 0) {
                throw new OffsetOutOfRangeException(
                        "The offset " + start + " for partition " + partition.topicPartition() + " is not valid");
            }
            log.maybeIncrementLogStartOffset(start, LogStartOffsetIncrementReason.ClientRecordDeletion);
            long lowWatermark = partition.replicas().lowWatermark(log.logStartOffset());
            return new LogDeleteRecordsResult(start, lowWatermark, Optional.empty());
        } finally {
            partition.steady().unlock();
        }
    }

    private static NotLeaderOrFollowerException notLeader(Partition partition) {
        return new NotLeaderOrFollowerException(
                "leader not local for partition=" + partition.topicPartition() + ": " + partition.leadership());
    }
}
