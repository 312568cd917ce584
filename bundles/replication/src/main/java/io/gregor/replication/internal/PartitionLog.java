package io.gregor.replication.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpoints;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.LogOffsetsListener;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/** Finds or makes the log of a partition, in the directory that the metadata assigns. Immutable. */
record PartitionLog(BrokerContext broker, TopicPartition topicPartition, Uuid topicId) {
    /**
     * The log, with the high watermark that it had when it was last written down.
     *
     * @param isNew whether the partition was not here before
     * @param directory where the log is or is to be; unassigned to leave it to the broker
     */
    UnifiedLog open(boolean isNew, OffsetCheckpoints marks, Uuid directory, LogOffsetsListener listener) {
        LogManager manager = broker.logs().manager();
        if (!mayBeIn(directory, manager)) {
            throw new NotLeaderOrFollowerException("log of partition=" + topicPartition + " is not available on broker "
                    + broker.id() + ": it may be in an offline directory");
        }
        UnifiedLog opened = null;
        manager.initializingLog(topicPartition);
        try {
            opened = manager.getOrCreateLog(topicPartition, isNew, false, Optional.of(topicId), Optional.of(directory));
            opened.setLogOffsetsListener(listener);
            opened.updateHighWatermark(
                    marks.fetch(opened.parentDir(), topicPartition).orElse(0L));
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            manager.finishedInitializingLog(topicPartition, Optional.ofNullable(opened));
        }
    }

    /** A directory that is assigned but not online may hold the log: then none is made elsewhere. */
    private static boolean mayBeIn(Uuid directory, LogManager manager) {
        return directory.equals(DirectoryId.UNASSIGNED)
                || manager.onlineLogDirId(directory)
                || !manager.hasOfflineLogDirs();
    }
}
