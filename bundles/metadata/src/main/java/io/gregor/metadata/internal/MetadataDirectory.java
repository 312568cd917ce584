package io.gregor.metadata.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.server.util.FileLock;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the metadata log, and the lock on the directory it is in where no log manager holds that one: on a node
 * without the broker role, and in a {@code metadata.log.dir} of its own. Owned by {@link RaftNode}.
 */
final class MetadataDirectory implements AutoCloseable {
    private final Path folder;
    private final @Nullable FileLock lock;

    MetadataDirectory(NodeConfig config) throws IOException {
        Path directory = config.metadataLogDir();
        folder = Files.createDirectories(
                directory.resolve(UnifiedLog.logDirName(Topic.CLUSTER_METADATA_TOPIC_PARTITION)));
        boolean isLockedByLogs =
                config.roles().contains(Role.BROKER) && config.logDirs().contains(directory);
        lock = isLockedByLogs ? null : lock(directory);
    }

    /** The folder of the metadata log. */
    File folder() {
        return folder.toFile();
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.destroy();
        }
    }

    private static FileLock lock(Path directory) throws IOException {
        File file = directory.resolve(LogManager.LOCK_FILE_NAME).toFile();
        FileLock lock = new FileLock(file);
        try {
            if (lock.tryLock()) {
                return lock;
            }
        } catch (IOException e) {
            lock.destroy();
            throw e;
        }
        lock.destroy();
        throw new KafkaException("metadata.log.dir=" + directory + " is locked by another process (lockFile=" + file
                + "); stop that process or use another directory");
    }
}
