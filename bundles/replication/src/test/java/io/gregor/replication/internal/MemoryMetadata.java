package io.gregor.replication.internal;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;

/** A plugin that keeps the metadata of remote segments in memory, and what it is told of partitions. Shared: any thread. */
final class MemoryMetadata implements RemoteLogMetadataManager {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    /** {@code leads t-0}, {@code follows t-0} or {@code stops t-0}, in order. */
    final Queue<String> told = new ConcurrentLinkedQueue<>();

    volatile Consumer<TopicIdPartition> beforeLeadership = partition -> {};
    private final Map<RemoteLogSegmentId, RemoteLogSegmentMetadata> segments = new ConcurrentHashMap<>();

    private Stream<RemoteLogSegmentMetadata> of(TopicIdPartition partition) {
        return segments.values().stream()
                .filter(segment -> segment.topicIdPartition().equals(partition))
                .sorted(Comparator.comparingLong(RemoteLogSegmentMetadata::startOffset));
    }

    private Stream<RemoteLogSegmentMetadata> whole(TopicIdPartition partition, int epoch) {
        return of(partition)
                .filter(segment -> segment.state() == RemoteLogSegmentState.COPY_SEGMENT_FINISHED
                        && segment.segmentLeaderEpochs().containsKey(epoch));
    }

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public CompletableFuture<Void> addRemoteLogSegmentMetadata(RemoteLogSegmentMetadata metadata) {
        segments.put(metadata.remoteLogSegmentId(), metadata);
        return DONE;
    }

    @Override
    public CompletableFuture<Void> updateRemoteLogSegmentMetadata(RemoteLogSegmentMetadataUpdate update) {
        segments.computeIfPresent(
                update.remoteLogSegmentId(),
                (id, segment) -> update.state() == RemoteLogSegmentState.DELETE_SEGMENT_FINISHED
                        ? null
                        : segment.createWithUpdates(update));
        return DONE;
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> remoteLogSegmentMetadata(
            TopicIdPartition partition, int epoch, long offset) {
        return whole(partition, epoch)
                .filter(segment -> segment.startOffset() <= offset && offset <= segment.endOffset())
                .findFirst();
    }

    @Override
    public Optional<Long> highestOffsetForEpoch(TopicIdPartition partition, int epoch) {
        return whole(partition, epoch).map(RemoteLogSegmentMetadata::endOffset).max(Comparator.naturalOrder());
    }

    @Override
    public CompletableFuture<Void> putRemotePartitionDeleteMetadata(RemotePartitionDeleteMetadata metadata) {
        return DONE;
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition partition) {
        return of(partition).iterator();
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition partition, int epoch) {
        return whole(partition, epoch).iterator();
    }

    @Override
    public void onPartitionLeadershipChanges(Set<TopicIdPartition> led, Set<TopicIdPartition> followed) {
        led.forEach(beforeLeadership);
        led.forEach(partition -> told.add("leads " + partition.topicPartition()));
        followed.forEach(partition -> told.add("follows " + partition.topicPartition()));
    }

    @Override
    public void onStopPartitions(Set<TopicIdPartition> partitions) {
        partitions.forEach(partition -> told.add("stops " + partition.topicPartition()));
    }

    @Override
    public long remoteLogSize(TopicIdPartition partition, int epoch) {
        return whole(partition, epoch)
                .mapToLong(RemoteLogSegmentMetadata::segmentSizeInBytes)
                .sum();
    }

    @Override
    public void close() {}
}
