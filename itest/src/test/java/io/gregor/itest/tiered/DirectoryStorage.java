package io.gregor.itest.tiered;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/**
 * A plugin that keeps remote segments in a directory: {@code rsm.config.directory}. Below it there is one directory for each
 * partition, named after it, with the files of the segment ids. While a file {@code hold} is in it, uploads stop half way; while
 * {@code slow} is there, reads do not begin. Shared: the remote log manager's threads.
 */
public final class DirectoryStorage implements RemoteStorageManager {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private Path root = Path.of("");

    /** Called by the remote log manager. */
    public DirectoryStorage() {}

    @Override
    public void configure(Map<String, ?> configs) {
        root = Path.of(String.valueOf(configs.get("directory")));
        try {
            Files.createDirectories(root);
        } catch (IOException e) {
            throw new IllegalArgumentException("rsm.config.directory=" + root + " cannot be made", e);
        }
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata segment, LogSegmentData data)
            throws RemoteStorageException {
        try {
            Files.createDirectories(folder(segment));
            copyInHalves(data.logSegment(), file(segment, "log"));
            Files.copy(data.offsetIndex(), file(segment, IndexType.OFFSET.name()));
            Files.copy(data.timeIndex(), file(segment, IndexType.TIMESTAMP.name()));
            Files.copy(data.producerSnapshotIndex(), file(segment, IndexType.PRODUCER_SNAPSHOT.name()));
            if (data.transactionIndex().isPresent()) {
                Files.copy(data.transactionIndex().get(), file(segment, IndexType.TRANSACTION.name()));
            }
            Files.write(file(segment, IndexType.LEADER_EPOCH.name()), Utils.toArray(data.leaderEpochIndex()));
            return Optional.empty();
        } catch (IOException e) {
            throw new RemoteStorageException("segment=" + segment.remoteLogSegmentId() + " cannot be copied", e);
        }
    }

    private void copyInHalves(Path from, Path to) throws IOException {
        byte[] all = Files.readAllBytes(from);
        try (OutputStream file = Files.newOutputStream(to)) {
            file.write(all, 0, all.length / 2);
            file.flush();
            awaitAbsence("hold");
            file.write(all, all.length / 2, all.length - all.length / 2);
        }
    }

    private void awaitAbsence(String name) {
        while (Files.exists(root.resolve(name)) && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata segment, int start) throws RemoteStorageException {
        return fetchLogSegment(segment, start, Integer.MAX_VALUE - 1);
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata segment, int start, int end)
            throws RemoteStorageException {
        awaitAbsence("slow");
        try {
            FileChannel channel = FileChannel.open(file(segment, "log"));
            long length = Math.min(channel.size(), end + 1L) - start;
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.max(0, length));
            try (channel) {
                channel.position(start);
                Channels.newInputStream(channel).readNBytes(bytes.array(), 0, bytes.capacity());
            }
            return new ByteArrayInputStream(bytes.array());
        } catch (NoSuchFileException e) {
            throw new RemoteResourceNotFoundException("segment=" + segment.remoteLogSegmentId() + " is not there", e);
        } catch (IOException e) {
            throw new RemoteStorageException("segment=" + segment.remoteLogSegmentId() + " cannot be read", e);
        }
    }

    @Override
    public InputStream fetchIndex(RemoteLogSegmentMetadata segment, IndexType type) throws RemoteStorageException {
        try {
            return Files.newInputStream(file(segment, type.name()));
        } catch (NoSuchFileException e) {
            throw new RemoteResourceNotFoundException(
                    type + " of " + segment.remoteLogSegmentId() + " is not there", e);
        } catch (IOException e) {
            throw new RemoteStorageException(type + " of " + segment.remoteLogSegmentId() + " cannot be read", e);
        }
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata segment) throws RemoteStorageException {
        try {
            Files.deleteIfExists(file(segment, "log"));
            for (IndexType type : IndexType.values()) {
                Files.deleteIfExists(file(segment, type.name()));
            }
        } catch (IOException e) {
            throw new RemoteStorageException("segment=" + segment.remoteLogSegmentId() + " cannot be deleted", e);
        }
    }

    private Path folder(RemoteLogSegmentMetadata segment) {
        return root.resolve(segment.topicIdPartition().topicPartition().toString());
    }

    private Path file(RemoteLogSegmentMetadata segment, String kind) {
        return folder(segment).resolve(segment.remoteLogSegmentId().id() + "." + kind);
    }

    @Override
    public void close() {}
}
