package io.gregor.share.internal;

import io.gregor.internal.replication.Replicas;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.coordinator.group.ShareGroupAutoOffsetResetStrategy;
import org.apache.kafka.server.storage.log.FetchIsolation;

/** Where a group begins that has not read of a partition: {@code share.auto.offset.reset}. Immutable. */
record StartOffset(Replicas replicas, TopicPartition partition, int leaderEpoch) {
    /** Throws what the client is to be told if this broker cannot say. */
    long of(ShareGroupAutoOffsetResetStrategy strategy) {
        return switch (strategy.type()) {
            case EARLIEST -> at(ListOffsetsRequest.EARLIEST_TIMESTAMP);
            case LATEST -> at(ListOffsetsRequest.LATEST_TIMESTAMP);
            case BY_DURATION -> {
                long found = at(strategy.timestamp());
                yield found < 0 ? at(ListOffsetsRequest.LATEST_TIMESTAMP) : found;
            }
        };
    }

    private long at(long timestamp) {
        return replicas.offsetForTimestamp(partition, timestamp, FetchIsolation.HIGH_WATERMARK, leaderEpoch, true)
                .offset();
    }
}
