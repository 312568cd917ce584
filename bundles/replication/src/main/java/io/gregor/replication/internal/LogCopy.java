package io.gregor.replication.internal;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.EpochEntry;
import org.apache.kafka.storage.internals.log.LogFileUtils;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log that becomes the same as another: what is not in the other is cut off whenever the leader epoch is a new one, then
 * batches are appended as they are. Owned by whoever makes a step of the move.
 */
final class LogCopy {
    private static final Logger LOGGER = LoggerFactory.getLogger(LogCopy.class);
    private static final int NEVER = Integer.MIN_VALUE;

    private final UnifiedLog copy;
    private int comparedInEpoch = NEVER;
    private boolean isNear;

    LogCopy(UnifiedLog copy) {
        this.copy = copy;
    }

    /**
     * Appends the next records of the source, which must not be changed meanwhile but by appends of the same leader epoch.
     *
     * @return how many bytes were appended; 0 if both logs have the same end
     */
    int copy(UnifiedLog source, int leaderEpoch, CopyBuffer buffer, int maxBytes) throws IOException {
        if (comparedInEpoch != leaderEpoch) {
            cutOff(source);
            comparedInEpoch = leaderEpoch;
        }
        int copied = 0;
        while (copied == 0 && copy.logEndOffset() < source.logEndOffset()) {
            copied = append(source, leaderEpoch, buffer, maxBytes);
        }
        isNear = copy.logEndOffset() >= source.activeSegment().baseOffset();
        copy.updateHighWatermark(source.highWatermark());
        if (source.logStartOffset() <= copy.highWatermark()) {
            copy.maybeIncrementLogStartOffset(
                    source.logStartOffset(), LogStartOffsetIncrementReason.LeaderOffsetIncremented);
        }
        return copied;
    }

    /** Bytes of what comes next in the source; 0 if it went before it was read, by retention for instance. */
    private int append(UnifiedLog source, int leaderEpoch, CopyBuffer buffer, int maxBytes) throws IOException {
        int atMost = Math.min(maxBytes, copy.config().segmentSize());
        MemoryRecords records;
        try {
            records = buffer.load(source.read(copy.logEndOffset(), atMost, FetchIsolation.LOG_END, true).records);
        } catch (OffsetOutOfRangeException gone) {
            if (source.localLogStartOffset() <= copy.logEndOffset()) {
                throw gone;
            }
            startOver(source);
            return 0;
        }
        copy.appendAsFollower(records, leaderEpoch);
        return records.sizeInBytes();
    }

    /** Whether the copy had everything but some of the source's last segment when it was last appended to. */
    boolean isNear() {
        return isNear;
    }

    /** The source no longer has what would be next: it was deleted, or is in remote storage. */
    private void startOver(UnifiedLog source) throws IOException {
        long start = source.localLogStartOffset();
        LOGGER.info("copy starts over: directory={} end={} start={}", copy.dir(), copy.logEndOffset(), start);
        copy.truncateFullyAndStartAt(start, Optional.of(source.logStartOffset()));
        for (EpochEntry entry : source.leaderEpochCache().epochEntries()) {
            if (entry.startOffset() < start) {
                copy.assignEpochStartOffset(entry.epoch(), entry.startOffset());
            }
        }
        takeProducers(source, start);
    }

    /** Takes over the producers whose records are in remote storage only, as the source knew them when its local part began. */
    private void takeProducers(UnifiedLog source, long start) throws IOException {
        ProducerStateManager producers = copy.producerStateManager();
        Optional<File> snapshot = source.producerStateManager().fetchSnapshot(start);
        if (snapshot.isEmpty()) {
            return;
        }
        byte[] state;
        try {
            state = Files.readAllBytes(snapshot.get().toPath());
        } catch (NoSuchFileException deletedMeanwhile) {
            LOGGER.debug("copy will start over once more: directory={}", copy.dir(), deletedMeanwhile);
            return;
        }
        // forgets the empty snapshot of this offset, whose file would be deleted by the next line but one
        producers.truncateFullyAndStartAt(0);
        Files.write(LogFileUtils.producerSnapshotFile(copy.dir(), start).toPath(), state);
        producers.truncateFullyAndReloadSnapshots();
        copy.loadProducerState(start);
    }

    /** Cuts off what the source does not have, found by comparing where epochs end (KIP-101, KIP-279). */
    private void cutOff(UnifiedLog source) {
        if (copy.logEndOffset() == copy.logStartOffset() && copy.latestEpoch().isEmpty()) {
            return;
        }
        long commonEnd = Math.min(commonEnd(source), source.logEndOffset());
        if (commonEnd < copy.logEndOffset()) {
            LOGGER.info(
                    "copy is cut off: directory={} end={} commonEnd={}", copy.dir(), copy.logEndOffset(), commonEnd);
            copy.truncateTo(commonEnd);
        }
    }

    private long commonEnd(UnifiedLog source) {
        long end = copy.logEndOffset();
        Optional<Integer> epoch = copy.latestEpoch();
        while (epoch.isPresent()) {
            Optional<OffsetAndEpoch> theirs = source.endOffsetForEpoch(epoch.get());
            if (theirs.isEmpty()) {
                return copy.highWatermark();
            }
            int shared = theirs.get().epoch();
            Optional<OffsetAndEpoch> ours = copy.endOffsetForEpoch(shared);
            if (ours.isEmpty()) {
                return Math.min(theirs.get().offset(), end);
            }
            end = Math.min(ours.get().offset(), end);
            if (ours.get().epoch() == shared) {
                return Math.min(theirs.get().offset(), end);
            }
            epoch = Optional.of(ours.get().epoch());
        }
        return copy.highWatermark();
    }

    /** Takes over the epochs in which the source has no records: clients ask for them, too. */
    void takeEmptyEpochs(UnifiedLog source) {
        int last = copy.latestEpoch().orElse(NEVER);
        for (EpochEntry entry : source.leaderEpochCache().epochEntries()) {
            if (entry.epoch() > last) {
                copy.assignEpochStartOffset(entry.epoch(), entry.startOffset());
            }
        }
    }
}
