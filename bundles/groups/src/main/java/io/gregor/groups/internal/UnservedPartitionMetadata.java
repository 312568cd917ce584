package io.gregor.groups.internal;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.util.PartitionMetadataClient;

/** Answers that latest offsets cannot be told: only share groups ask for them, which are not served. Immutable. */
public final class UnservedPartitionMetadata implements PartitionMetadataClient {
    @Override
    public Map<TopicPartition, CompletableFuture<OffsetResponse>> listLatestOffsets(Set<TopicPartition> partitions) {
        return partitions.stream()
                .collect(Collectors.toMap(
                        Function.identity(),
                        partition ->
                                CompletableFuture.completedFuture(new OffsetResponse(-1, Errors.UNSUPPORTED_VERSION))));
    }

    @Override
    public void close() {}
}
