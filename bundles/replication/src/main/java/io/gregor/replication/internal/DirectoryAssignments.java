package io.gregor.replication.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.storage.Logs;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.AssignmentsManager;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.apache.kafka.server.common.TopicIdPartition;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;

/**
 * Tells the controller in which directory a partition's log is, where the metadata says otherwise (KIP-858). Its threads
 * come with the first difference, and its gauges are its own then: with one log directory there is none. Shared: any thread.
 */
final class DirectoryAssignments implements AutoCloseable {
    private static final long RETRY_TIMEOUT_MS = 60_000;
    private static final String QUEUED = "QueuedReplicaToDirAssignments";

    private final int brokerId;
    private final LogManager logs;
    private final NodeToControllerChannelManager channel;
    private final Supplier<MetadataImage> image;
    private final List<KafkaMetricsGroup> metrics = List.of(
            new KafkaMetricsGroup("org.apache.kafka.server", "AssignmentsManager"),
            new KafkaMetricsGroup("kafka.server", "AssignmentsManager"));
    private final Object lock = new Object();

    @GuardedBy("lock")
    private @Nullable AssignmentsManager manager;

    @GuardedBy("lock")
    private boolean closed;

    DirectoryAssignments(int brokerId, Logs logs, ControllerChannels channels, Supplier<MetadataImage> image) {
        this.brokerId = brokerId;
        this.logs = logs.manager();
        this.channel = channels.channel("directory-assignments", RETRY_TIMEOUT_MS);
        this.image = image;
        metrics.forEach(group -> group.newGauge(QUEUED, () -> 0));
    }

    /** Compares what the metadata says with where the logs are; of those that move into another, the move tells. */
    void compare(Map<org.apache.kafka.common.TopicIdPartition, Uuid> assigned, DirectoryMoves moves) {
        assigned.forEach((partition, directory) -> compare(partition, directory, moves));
    }

    private void compare(org.apache.kafka.common.TopicIdPartition partition, Uuid directory, DirectoryMoves moves) {
        // a move that begins to tell meanwhile does so after this, not between the look and the telling
        synchronized (lock) {
            if (moves.hasTold(partition.topicPartition())) {
                return;
            }
            UnifiedLog log = logs.getLog(partition.topicPartition()).orElse(null);
            Uuid actual = log == null ? null : logs.directoryId(log.parentDir()).orElse(null);
            if (actual != null && !actual.equals(directory)) {
                tell(
                        new TopicIdPartition(partition.topicId(), partition.partition()),
                        actual,
                        "Applying metadata delta",
                        () -> {});
            }
        }
    }

    /** Tells it, as often as it takes; what is told of the same partition later takes its place. */
    void tell(TopicIdPartition partition, Uuid directory, String reason, Runnable onConfirmed) {
        synchronized (lock) {
            AssignmentsManager teller = manager();
            if (teller != null) {
                teller.onAssignment(partition, directory, reason, onConfirmed);
            }
        }
    }

    @GuardedBy("lock")
    private @Nullable AssignmentsManager manager() {
        if (manager == null && !closed) {
            metrics.forEach(group -> group.removeMetric(QUEUED));
            manager = new AssignmentsManager(Time.SYSTEM, channel, brokerId, image, id -> logs.directoryPath(id)
                    .orElse("[unknown directory path]"));
        }
        return manager;
    }

    @Override
    public void close() {
        AssignmentsManager last;
        synchronized (lock) {
            closed = true;
            last = manager;
        }
        try {
            if (last == null) {
                metrics.forEach(group -> group.removeMetric(QUEUED));
                channel.shutdown();
            } else {
                last.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
