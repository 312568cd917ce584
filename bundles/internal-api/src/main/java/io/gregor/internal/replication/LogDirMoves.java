package io.gregor.internal.replication;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/**
 * Moves of partitions between the log directories of this broker (KIP-113, KIP-858). A service of replication with the property
 * {@code role}, there once the first metadata image is applied. Shared: any thread.
 */
public interface LogDirMoves {
    /**
     * A partition on its way: its log is copied into another directory, and takes the place of the present one when it has
     * caught up and the controller knows.
     *
     * @param from the absolute path of the directory that serves now
     * @param to the absolute path of the directory that will
     * @param copiedOffset the end of the copy
     * @param endOffset the end of the log that serves now
     * @param state as it is to be shown: {@code COPYING}, {@code TELLING} the controller, {@code CONFIRMED}, {@code FAILED}
     */
    record Move(TopicPartition partition, String from, String to, long copiedOffset, long endOffset, String state) {}

    /**
     * Begins to move partitions into other directories, or ends a move by asking for the directory that serves now. A partition
     * that is not here yet will be made in the directory. Makes directories; does not wait for what is copied.
     *
     * @param directories the absolute path of the wanted directory by partition
     * @return the outcome by partition, in the order of the question: NONE, INVALID_TOPIC_EXCEPTION for a name that is too long,
     *     LOG_DIR_NOT_FOUND for a directory that is none of ours, KAFKA_STORAGE_ERROR for one that has failed,
     *     REPLICA_NOT_AVAILABLE for a partition that is not here
     */
    Map<TopicPartition, Errors> alter(Map<TopicPartition, String> directories);

    /** The moves under way, and those that have failed. */
    List<Move> moves();
}
