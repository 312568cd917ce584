package io.gregor.replication.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.storage.Logs;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.storage.internals.checkpoint.LazyOffsetCheckpoints;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpoints;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code replication-offset-checkpoint} of each log directory: the partitions' high watermarks, from which they start
 * again. A file is written only if something in it has changed, or if it cannot be: that is how a directory that is gone or
 * read-only is found out while nothing else is written to it. Shared: any thread; see {@code write}.
 */
final class HighWatermarks {
    private static final Logger LOGGER = LoggerFactory.getLogger(HighWatermarks.class);
    private static final String FILE_NAME = "replication-offset-checkpoint";

    private final Partitions partitions;
    private final Map<String, OffsetCheckpointFile> files = new HashMap<>();
    private final Object writing = new Object();

    @GuardedBy("writing")
    private final Map<String, Map<TopicPartition, Long>> written = new HashMap<>();

    HighWatermarks(Logs logs, Partitions partitions) {
        this.partitions = partitions;
        for (File directory : logs.manager().liveLogDirs()) {
            try {
                files.put(
                        directory.getAbsolutePath(),
                        new OffsetCheckpointFile(new File(directory, FILE_NAME), logs.directoryFailures()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** What was written, read when it is first asked for. */
    OffsetCheckpoints stored() {
        return new LazyOffsetCheckpoints(files);
    }

    /** Writes the high watermarks of all partitions. */
    void write() {
        Map<String, Map<TopicPartition, Long>> current = new HashMap<>();
        files.keySet().forEach(directory -> current.put(directory, new HashMap<>()));
        for (Partition partition : partitions.all()) {
            UnifiedLog log = partition.log();
            Map<TopicPartition, Long> marks = log == null ? null : current.get(log.parentDir());
            if (log != null && marks != null) {
                marks.put(partition.topicPartition(), log.highWatermark());
            }
        }
        synchronized (writing) {
            current.forEach(this::writeIfChanged);
        }
    }

    @GuardedBy("writing")
    private void writeIfChanged(String directory, Map<TopicPartition, Long> marks) {
        OffsetCheckpointFile file = files.get(directory);
        if (file == null || (marks.equals(written.get(directory)) && isWritable(directory))) {
            return;
        }
        if (marks.isEmpty() && !written.containsKey(directory)) {
            return;
        }
        try {
            file.write(marks);
            written.put(directory, marks);
        } catch (KafkaStorageException e) {
            LOGGER.error("high watermarks could not be written: directory={}", directory, e);
        }
    }

    private static boolean isWritable(String directory) {
        return Files.isWritable(Path.of(directory, FILE_NAME));
    }

    /** No more writing into a directory that has failed. */
    void forget(String directory) {
        synchronized (writing) {
            files.remove(directory);
            written.remove(directory);
        }
    }
}
