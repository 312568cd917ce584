package io.gregor.share.internal;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.share.LogReader;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.LogReadResult;

/** How Kafka's keeper of dead letters reads the records that it copies. Shared: any thread. */
record DeadLetterReads(Replicas replicas, Time time) implements LogReader {
    @Override
    public CompletableFuture<LinkedHashMap<TopicIdPartition, LogReadResult>> readAsync(
            FetchParams params,
            Set<TopicIdPartition> partitions,
            Map<TopicIdPartition, Long> offsets,
            Map<TopicIdPartition, Integer> maxBytes,
            boolean readsRemote) {
        List<PartitionFetch> asked = new ArrayList<>(partitions.size());
        for (TopicIdPartition partition : partitions) {
            asked.add(new PartitionFetch(
                    partition,
                    new FetchRequest.PartitionData(
                            partition.topicId(),
                            offsets.getOrDefault(partition, 0L),
                            FetchRequest.INVALID_LOG_START_OFFSET,
                            maxBytes.getOrDefault(partition, params.maxBytes),
                            Optional.empty())));
        }
        CompletableFuture<LinkedHashMap<TopicIdPartition, LogReadResult>> result = new CompletableFuture<>();
        replicas.fetch(atOnce(params), asked, read -> {
            LinkedHashMap<TopicIdPartition, LogReadResult> results = new LinkedHashMap<>();
            for (int i = 0; i < read.size(); i++) {
                results.put(asked.get(i).partition(), result(asked.get(i), read.get(i)));
            }
            result.complete(results);
        });
        return result;
    }

    private static FetchParams atOnce(FetchParams params) {
        return new FetchParams(
                params.replicaId,
                params.replicaEpoch,
                0,
                params.minBytes,
                params.maxBytes,
                params.isolation,
                params.clientMetadata);
    }

    private LogReadResult result(PartitionFetch asked, FetchPartitionData read) {
        LogOffsetMetadata position = new LogOffsetMetadata(asked.request().fetchOffset);
        return new LogReadResult(
                new FetchDataInfo(position, read.records, false, read.abortedTransactions),
                read.divergingEpoch,
                read.highWatermark,
                read.logStartOffset,
                read.highWatermark,
                FetchRequest.INVALID_LOG_START_OFFSET,
                time.milliseconds(),
                read.lastStableOffset.isPresent()
                        ? OptionalLong.of(read.lastStableOffset.getAsLong())
                        : OptionalLong.empty(),
                read.error);
    }
}
