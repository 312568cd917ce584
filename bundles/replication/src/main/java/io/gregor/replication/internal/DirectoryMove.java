package io.gregor.replication.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.replication.LogDirMoves.Move;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.server.common.TopicIdPartition;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition on its way into another log directory. Its copy follows the log that serves; when it has caught up the
 * controller is told, and when that has confirmed, the copy takes the log's place. The last records are copied with appends
 * held off, so that a partition that is never quiet arrives too. Worked at by one copying thread; Shared: any thread ends it,
 * and waits for the step that is being made.
 *
 * <pre>
 *   COPYING ──▶ TELLING ──▶ CONFIRMED ──▶ ARRIVED
 *      └───────────┴────────────┴───────▶ ENDED     (asked to stay, deleted, or a directory failed)
 *      └───────────┴────────────┴───────▶ FAILED    (the copy cannot be written; waits for whom it may concern)
 * </pre>
 */
final class DirectoryMove {
    private static final Logger LOGGER = LoggerFactory.getLogger(DirectoryMove.class);

    /**
     * The controller is told again after this time. Kafka's AssignmentsManager tries until it has an answer, but what it is told
     * just when it begins to send what it was told of the same partition before, it forgets.
     */
    private static final long TELL_AGAIN_NS = TimeUnit.SECONDS.toNanos(5);

    private final Partition partition;
    private final UnifiedLog copy;
    private final LogCopy copying;
    private final LogManager logs;
    private final DirectoryAssignments assignments;
    private final Object step = new Object();
    private volatile State state = State.COPYING;

    @GuardedBy("step")
    private boolean isTold;

    @GuardedBy("step")
    private long toldNs;

    /** Where a move stands. */
    enum State {
        COPYING,
        TELLING,
        CONFIRMED,
        ARRIVED,
        ENDED,
        FAILED
    }

    DirectoryMove(Partition partition, UnifiedLog copy, LogManager logs, DirectoryAssignments assignments) {
        this.partition = partition;
        this.copy = copy;
        this.copying = new LogCopy(copy);
        this.logs = logs;
        this.assignments = assignments;
    }

    Partition partition() {
        return partition;
    }

    State state() {
        return state;
    }

    /** The absolute path of the directory that it goes to. */
    String target() {
        return copy.parentDir();
    }

    /** How many records the copy is behind; 0 when it is over. */
    long lag() {
        UnifiedLog source = partition.log();
        return source == null || isOver() ? 0 : Math.max(0, source.logEndOffset() - copy.logEndOffset());
    }

    /** As it is to be shown; null if the partition is not here any more. */
    @Nullable
    Move shown() {
        UnifiedLog source = partition.log();
        return source == null
                ? null
                : new Move(
                        partition.topicPartition(),
                        source.parentDir(),
                        target(),
                        copy.logEndOffset(),
                        source.logEndOffset(),
                        state.name());
    }

    /** Whether the controller is told that the partition will be in another directory, and the move has not said otherwise. */
    boolean hasTold() {
        State now = state;
        return now == State.TELLING || now == State.CONFIRMED;
    }

    /** Whether nothing is left to be done by the copying thread. */
    boolean isOver() {
        State now = state;
        return now == State.ARRIVED || now == State.ENDED || now == State.FAILED;
    }

    /**
     * Does a little of what is to be done; by the copying thread.
     *
     * @param maxBytes how much to copy at most, unless one batch is larger
     * @param onConfirmed run on a thread of the controller's channel when the move can go on
     * @return how many bytes were copied; 0 if the copy has caught up or the move is over
     */
    int advance(CopyBuffer buffer, int maxBytes, Runnable onConfirmed) {
        synchronized (step) {
            if (isOver()) {
                return 0;
            }
            try {
                int copied = copyMore(buffer, maxBytes);
                if (copied < maxBytes && copying.isNear()) {
                    caughtUp(buffer, maxBytes, onConfirmed);
                }
                return copied;
            } catch (IOException | RuntimeException e) {
                fail(e);
                return 0;
            }
        }
    }

    @GuardedBy("step")
    private int copyMore(CopyBuffer buffer, int maxBytes) throws IOException {
        partition.steady().lock();
        try {
            UnifiedLog source = partition.log();
            if (source == null) {
                state = State.ENDED;
                return 0;
            }
            return copying.copy(source, partition.leadership().leaderEpoch(), buffer, maxBytes);
        } finally {
            partition.steady().unlock();
        }
    }

    @GuardedBy("step")
    private void caughtUp(CopyBuffer buffer, int maxBytes, Runnable onConfirmed) throws IOException {
        switch (state) {
            case COPYING -> tell(onConfirmed);
            case TELLING -> {
                if (partition.broker().time().nanoseconds() - toldNs >= TELL_AGAIN_NS) {
                    tell(onConfirmed);
                }
            }
            case CONFIRMED -> arrive(buffer, maxBytes);
            default -> {
                // it is over
            }
        }
    }

    @GuardedBy("step")
    private void tell(Runnable onConfirmed) {
        Uuid target = logs.directoryId(target()).orElse(null);
        if (target == null) {
            throw new KafkaStorageException("log directory is offline: directory=" + target());
        }
        if (!partition.broker().metadata().metadataVersion().isDirectoryAssignmentSupported()) {
            state = State.CONFIRMED;
            return;
        }
        state = State.TELLING;
        isTold = true;
        toldNs = partition.broker().time().nanoseconds();
        assignments.tell(id(), target, "Future replica promotion", () -> {
            confirmed();
            onConfirmed.run();
        });
    }

    /** Told by the controller's channel; waits for a step, not for the end of the copying. */
    private void confirmed() {
        synchronized (step) {
            if (state == State.TELLING) {
                state = State.CONFIRMED;
            }
        }
    }

    /** Swaps the logs with appends held off; if more came meanwhile than is copied at once, another time. */
    @GuardedBy("step")
    private void arrive(CopyBuffer buffer, int maxBytes) throws IOException {
        partition.changing().lock();
        try {
            UnifiedLog source = partition.log();
            if (source == null) {
                state = State.ENDED;
                return;
            }
            copying.copy(source, partition.leadership().leaderEpoch(), buffer, maxBytes);
            if (source.logEndOffset() != copy.logEndOffset()) {
                return;
            }
            copying.takeEmptyEpochs(source);
            replace(source);
            partition.replaceLog(copy);
            state = State.ARRIVED;
        } finally {
            partition.changing().unlock();
        }
        LOGGER.info("partition arrived: partition={} directory={}", partition.topicPartition(), target());
    }

    /** Whether the log manager gave up half-way is told by which log it has: the copy is whole by now. */
    private void replace(UnifiedLog source) throws IOException {
        try {
            logs.replaceCurrentWithFutureLog(partition.topicPartition());
        } catch (KafkaStorageException e) {
            if (logs.getLog(partition.topicPartition()).orElse(source) != copy) {
                throw e;
            }
            LOGGER.warn("former log could not be put aside: directory={} reason={}", source.dir(), e.getMessage());
        }
    }

    @GuardedBy("step")
    private void fail(Exception fault) {
        state = State.FAILED;
        if (fault instanceof KafkaStorageException) {
            LOGGER.warn(
                    "move between log directories failed: partition={} to={} reason={}",
                    partition.topicPartition(),
                    target(),
                    fault.getMessage());
        } else {
            LOGGER.error(
                    "move between log directories failed: partition={} to={}",
                    partition.topicPartition(),
                    target(),
                    fault);
        }
    }

    /**
     * Ends the move where it is: nothing is written to the copy when this returns. The controller is told again what it was
     * told otherwise.
     *
     * @return whether it was still on its way
     */
    boolean end() {
        synchronized (step) {
            if (state == State.ARRIVED || state == State.ENDED) {
                return false;
            }
            state = State.ENDED;
            UnifiedLog source = partition.log();
            if (isTold && source != null) {
                logs.directoryId(source.parentDir())
                        .ifPresent(stays -> assignments.tell(
                                id(), stays, "Reverting reassignment for canceled future replica", () -> {}));
            }
            return true;
        }
    }

    private TopicIdPartition id() {
        return new TopicIdPartition(
                partition.topicId(), partition.topicPartition().partition());
    }
}
