package io.gregor.replication.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.replication.LogDirMoves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.quota.ReplicaQuota;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that are on their way into other log directories: begun, taken up again after a restart, ended. The log of such
 * a partition is not cleaned meanwhile, so that the copy has all that it has. Shared: any thread; changed by one at a time.
 */
final class DirectoryMoves implements LogDirMoves, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(DirectoryMoves.class);
    private static final int LONGEST_DIRECTORY_NAME = 255;

    private final Partitions partitions;
    private final LogManager logs;
    private final DirectoryAssignments assignments;
    private final ReplicaQuota quota;
    private final int threadCount;
    private final int maxBytes;
    private final FetcherMetrics metrics;
    private final Map<TopicPartition, DirectoryMove> moves = new ConcurrentHashMap<>();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<Integer, ReplicaAlterLogDirsThread> threads = new HashMap<>();

    @GuardedBy("lock")
    private boolean isClosed;

    /**
     * No moves yet.
     *
     * @param threadCount {@code num.replica.alter.log.dirs.threads}
     * @param maxBytes how much is copied at once
     */
    DirectoryMoves(
            BrokerContext broker,
            Partitions partitions,
            DirectoryAssignments assignments,
            ReplicaQuota quota,
            int threadCount,
            int maxBytes) {
        this.partitions = partitions;
        this.logs = broker.logs().manager();
        this.assignments = assignments;
        this.quota = quota;
        this.threadCount = threadCount;
        this.maxBytes = maxBytes;
        this.metrics = new FetcherMetrics(
                "ReplicaAlterLogDirsManager",
                "ReplicaAlterLogDirs",
                this::maxLag,
                this::failedCount,
                this::slowestRequestRate);
    }

    private long maxLag() {
        return moves.values().stream().mapToLong(DirectoryMove::lag).max().orElse(0);
    }

    private int failedCount() {
        return (int) moves.values().stream()
                .filter(move -> move.state() == DirectoryMove.State.FAILED)
                .count();
    }

    private double slowestRequestRate() {
        synchronized (lock) {
            return threads.values().stream()
                    .filter(ReplicaAlterLogDirsThread::isAlive)
                    .mapToDouble(ReplicaAlterLogDirsThread::requestRate)
                    .min()
                    .orElse(0);
        }
    }

    @Override
    public Map<TopicPartition, Errors> alter(Map<TopicPartition, String> directories) {
        Map<TopicPartition, Errors> outcomes = new LinkedHashMap<>();
        synchronized (lock) {
            directories.forEach((partition, directory) -> outcomes.put(partition, alter(partition, directory)));
        }
        return outcomes;
    }

    @GuardedBy("lock")
    private Errors alter(TopicPartition topicPartition, String directory) {
        try {
            begin(topicPartition, directory);
            return Errors.NONE;
        } catch (NotLeaderOrFollowerException e) {
            return Errors.REPLICA_NOT_AVAILABLE;
        } catch (ApiException e) {
            LOGGER.warn(
                    "log directory not altered: partition={} directory={} reason={}",
                    topicPartition,
                    directory,
                    e.getMessage());
            return Errors.forException(e);
        } catch (IOException | RuntimeException e) {
            LOGGER.error("log directory not altered: partition={} directory={}", topicPartition, directory, e);
            return Errors.forException(e);
        }
    }

    @GuardedBy("lock")
    private void begin(TopicPartition topicPartition, String directory) throws IOException {
        requireUsable(topicPartition, directory);
        Partition known = partitions.find(topicPartition);
        if (known != null && known.isOffline()) {
            throw new KafkaStorageException("partition=" + topicPartition + " is in an offline log directory");
        }
        DirectoryMove present = moves.get(topicPartition);
        if (present != null && (present.isOver() || !present.target().equals(directory))) {
            end(topicPartition, true);
        }
        if (known == null) {
            logs.maybeUpdatePreferredLogDir(topicPartition, directory);
        }
        Partition partition = partitions.require(topicPartition);
        UnifiedLog source = partition.logFor(-1, false);
        if (source.parentDir().equals(directory) || moves.containsKey(topicPartition)) {
            return;
        }
        UnifiedLog copy = logs.getOrCreateLog(
                topicPartition, false, true, Optional.of(partition.topicId()), logs.directoryId(directory));
        logs.abortAndPauseCleaning(topicPartition);
        start(partition, copy);
    }

    private void requireUsable(TopicPartition topicPartition, String directory) {
        if (UnifiedLog.logFutureDirName(topicPartition).length() > LONGEST_DIRECTORY_NAME) {
            throw new InvalidTopicException("the topic name is too long for a second log");
        }
        if (!logs.isLogDirOnline(directory)) {
            throw new KafkaStorageException("log directory is offline");
        }
        if (logs.cordonedLogDirs().contains(directory)) {
            throw new InvalidReplicaAssignmentException("log directory is cordoned");
        }
    }

    @GuardedBy("lock")
    private void start(Partition partition, UnifiedLog copy) {
        if (isClosed) {
            return;
        }
        TopicPartition topicPartition = partition.topicPartition();
        DirectoryMove move = new DirectoryMove(partition, copy, logs, assignments);
        moves.put(topicPartition, move);
        LOGGER.info(
                "partition moves: partition={} to={} from={}", topicPartition, copy.parentDir(), copy.logEndOffset());
        int number = Math.floorMod(31 * topicPartition.topic().hashCode() + topicPartition.partition(), threadCount);
        ReplicaAlterLogDirsThread thread = threads.get(number);
        if (thread == null || !thread.add(move)) {
            thread = new ReplicaAlterLogDirsThread(number, quota, maxBytes, this::over);
            threads.put(number, thread);
            thread.add(move);
        }
    }

    /** What has failed stays to be seen. */
    private void over(DirectoryMove move) {
        if (move.state() != DirectoryMove.State.FAILED) {
            moves.remove(move.partition().topicPartition(), move);
        }
    }

    /** Goes on with a move that a restart has interrupted; the log has not been cleaned since it was loaded. */
    void resume(Partition partition) {
        UnifiedLog copy = logs.getLog(partition.topicPartition(), true).orElse(null);
        if (copy == null) {
            return;
        }
        synchronized (lock) {
            if (moves.containsKey(partition.topicPartition()) || partition.log() == null) {
                return;
            }
            if (Objects.equals(copy.topicId().orElse(null), partition.topicId())) {
                start(partition, copy);
            } else {
                discardCopy(partition.topicPartition());
            }
        }
    }

    /** Whether the controller is told that the partition moves: nothing else is to be told of it then. */
    boolean hasTold(TopicPartition partition) {
        DirectoryMove move = moves.get(partition);
        return move != null && move.hasTold();
    }

    /** The partition is deleted or offline; its copy is the log manager's. */
    void forget(TopicPartition partition) {
        synchronized (lock) {
            end(partition, false);
        }
    }

    /** Ends the moves into a directory that has failed. */
    void directoryFailed(String directory) {
        synchronized (lock) {
            for (DirectoryMove move : List.copyOf(moves.values())) {
                if (move.target().equals(directory)) {
                    end(move.partition().topicPartition(), false);
                }
            }
        }
    }

    @GuardedBy("lock")
    private void end(TopicPartition partition, boolean isCopyDiscarded) {
        DirectoryMove move = moves.remove(partition);
        if (move == null || !move.end()) {
            return;
        }
        LOGGER.info("move ended: partition={} to={}", partition, move.target());
        if (isCopyDiscarded) {
            discardCopy(partition);
        } else {
            logs.resumeCleaning(partition);
        }
    }

    @GuardedBy("lock")
    private void discardCopy(TopicPartition partition) {
        logs.asyncDelete(partition, true, false, false);
        logs.resumeCleaning(partition);
    }

    @Override
    public List<Move> moves() {
        List<Move> shown = new ArrayList<>();
        for (DirectoryMove move : moves.values()) {
            Move row = move.shown();
            if (row != null) {
                shown.add(row);
            }
        }
        return shown;
    }

    /** Ends the threads; what is on its way goes on after the next start. */
    @Override
    public void close() {
        Collection<ReplicaAlterLogDirsThread> last;
        synchronized (lock) {
            isClosed = true;
            last = List.copyOf(threads.values());
        }
        last.forEach(ReplicaAlterLogDirsThread::close);
        metrics.close();
    }
}
