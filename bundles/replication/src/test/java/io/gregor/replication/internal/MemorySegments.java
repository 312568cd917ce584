package io.gregor.replication.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/** A plugin that keeps remote segments in memory, and does at its calls what a test wants. Shared: any thread. */
final class MemorySegments implements RemoteStorageManager {
    /** Done before a call has its effect; waits or throws as a plugin may. */
    interface Before {
        Before NOTHING = partition -> {};

        void call(TopicPartition partition) throws RemoteStorageException;
    }

    private record Segment(TopicPartition partition, byte[] bytes, Map<IndexType, byte[]> indexes) {}

    final Queue<TopicPartition> reads = new ConcurrentLinkedQueue<>();
    volatile Before beforeRead = Before.NOTHING;
    volatile Before beforeDeletion = Before.NOTHING;
    private final Map<Uuid, Segment> segments = new ConcurrentHashMap<>();

    /** How many segments of a partition there are. */
    long count(TopicPartition partition) {
        return segments.values().stream()
                .filter(segment -> segment.partition().equals(partition))
                .count();
    }

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata metadata, LogSegmentData data)
            throws RemoteStorageException {
        try {
            Map<IndexType, byte[]> indexes = new EnumMap<>(IndexType.class);
            indexes.put(IndexType.OFFSET, Files.readAllBytes(data.offsetIndex()));
            indexes.put(IndexType.TIMESTAMP, Files.readAllBytes(data.timeIndex()));
            indexes.put(IndexType.PRODUCER_SNAPSHOT, Files.readAllBytes(data.producerSnapshotIndex()));
            indexes.put(IndexType.LEADER_EPOCH, Utils.toArray(data.leaderEpochIndex()));
            if (data.transactionIndex().isPresent()) {
                indexes.put(
                        IndexType.TRANSACTION,
                        Files.readAllBytes(data.transactionIndex().get()));
            }
            byte[] bytes = Files.readAllBytes(data.logSegment());
            TopicPartition partition = metadata.topicIdPartition().topicPartition();
            segments.put(metadata.remoteLogSegmentId().id(), new Segment(partition, bytes, indexes));
            return Optional.empty();
        } catch (IOException e) {
            throw new RemoteStorageException(e);
        }
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start) throws RemoteStorageException {
        return fetchLogSegment(metadata, start, Integer.MAX_VALUE - 1);
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start, int end)
            throws RemoteStorageException {
        Segment segment = segment(metadata);
        reads.add(segment.partition());
        beforeRead.call(segment.partition());
        return new ByteArrayInputStream(
                Arrays.copyOfRange(segment.bytes(), start, Math.min(end + 1, segment.bytes().length)));
    }

    @Override
    public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType type) throws RemoteStorageException {
        byte[] index = segment(metadata).indexes().get(type);
        if (index == null) {
            throw new RemoteResourceNotFoundException("no " + type);
        }
        return new ByteArrayInputStream(index);
    }

    private Segment segment(RemoteLogSegmentMetadata metadata) throws RemoteStorageException {
        Segment segment = segments.get(metadata.remoteLogSegmentId().id());
        if (segment == null) {
            throw new RemoteResourceNotFoundException("no " + metadata);
        }
        return segment;
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata) throws RemoteStorageException {
        beforeDeletion.call(metadata.topicIdPartition().topicPartition());
        segments.remove(metadata.remoteLogSegmentId().id());
    }

    @Override
    public void close() {}
}
