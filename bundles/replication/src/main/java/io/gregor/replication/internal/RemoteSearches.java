package io.gregor.replication.internal;

import io.gregor.internal.storage.RemoteLogs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;
import org.apache.kafka.server.purgatory.DelayedRemoteListOffsets;
import org.apache.kafka.server.purgatory.ListOffsetsPartitionStatus;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.storage.internals.log.AsyncOffsetReader;

/**
 * Searches by timestamp in remote segments (KIP-1075), on the remote log manager's threads; the requests wait in a purgatory
 * that the manager tells which search is over. Shared: any thread.
 */
final class RemoteSearches {
    /** The name of its purgatory. */
    static final String PURGATORY = "RemoteListOffsets";

    private final RemoteLogs remote;
    private final Partitions partitions;
    private final DelayedOperationPurgatory<DelayedRemoteListOffsets> waiting;

    RemoteSearches(RemoteLogs remote, BrokerContext broker, Partitions partitions) {
        this.remote = remote;
        this.partitions = partitions;
        this.waiting = broker.waiting().ofLeaders(PURGATORY, broker.id(), 0);
        remote.manager().setDelayedOperationPurgatory(waiting);
    }

    /** Begins searches; throws {@link java.util.concurrent.RejectedExecutionException} if the readers' queue is full. */
    AsyncOffsetReader reader() {
        return remote.manager();
    }

    /**
     * Answers when all searches have ended.
     *
     * @param timeoutMs how long at most; 0 for {@code remote.list.offsets.request.timeout.ms}
     * @param found what is known of each partition, or the search that was begun
     */
    void await(
            long timeoutMs,
            short version,
            Map<TopicPartition, ListOffsetsPartitionStatus> found,
            Consumer<Collection<ListOffsetsTopicResponse>> done) {
        List<TopicPartitionOperationKey> keys = new ArrayList<>(found.size());
        found.keySet().forEach(partition -> keys.add(new TopicPartitionOperationKey(partition)));
        long waitMs = timeoutMs > 0 ? timeoutMs : remote.listOffsetsTimeoutMs();
        waiting.tryCompleteElseWatch(
                new DelayedRemoteListOffsets(waitMs, version, found, partitions::require, done), keys);
    }
}
