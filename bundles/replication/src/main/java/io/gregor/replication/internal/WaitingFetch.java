package io.gregor.replication.internal;

import io.gregor.internal.replication.Replicas.PartitionFetch;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.server.purgatory.DelayedOperation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.LogOffsetSnapshot;

/**
 * A fetch that waits for {@code fetch.min.bytes}. It is over when there are enough bytes, when one of its partitions has a
 * fault or a finished segment to read, or after {@code fetch.max.wait.ms}; then it reads anew. Shared: any thread; its
 * completion runs once.
 */
final class WaitingFetch extends DelayedOperation {
    private static final int UNCHECKED_EPOCH = -1;

    private final Fetches fetches;
    private final FetchParams params;
    private final List<PartitionFetch> asked;
    private final List<LogOffsetMetadata> positions;
    private final Consumer<List<FetchPartitionData>> done;

    /**
     * @param asked what is read
     * @param positions where each read was in the log when it began to wait, in the same order
     */
    WaitingFetch(
            Fetches fetches,
            FetchParams params,
            List<PartitionFetch> asked,
            List<LogOffsetMetadata> positions,
            Consumer<List<FetchPartitionData>> done) {
        super(params.maxWaitMs);
        this.fetches = fetches;
        this.params = params;
        this.asked = asked;
        this.positions = positions;
        this.done = done;
    }

    @Override
    public boolean tryComplete() {
        long bytes = 0;
        for (int i = 0; i < asked.size(); i++) {
            LogOffsetMetadata position = positions.get(i);
            if (position.equals(LogOffsetMetadata.UNKNOWN_OFFSET_METADATA)) {
                continue;
            }
            try {
                long more = bytesBeyond(position, asked.get(i));
                if (more < 0) {
                    return forceComplete();
                }
                bytes += more;
            } catch (RuntimeException seenAgainByTheRead) {
                return forceComplete();
            }
        }
        return bytes >= params.minBytes && forceComplete();
    }

    /** How many bytes there are to read; -1 if there is something to tell at once. */
    private long bytesBeyond(LogOffsetMetadata position, PartitionFetch fetch) {
        FetchRequest.PartitionData request = fetch.request();
        Partition partition = fetches.partition(fetch.partition());
        LogOffsetSnapshot offsets = PartitionReads.offsets(
                partition, request.currentLeaderEpoch.orElse(UNCHECKED_EPOCH), params.fetchOnlyLeader());
        LogOffsetMetadata end =
                switch (params.isolation) {
                    case LOG_END -> offsets.logEndOffset();
                    case HIGH_WATERMARK -> offsets.highWatermark();
                    case TXN_COMMITTED -> offsets.lastStableOffset();
                };
        if (position.messageOffset > end.messageOffset) {
            return -1;
        }
        if (PartitionReads.isDiverging(partition, request)) {
            return -1;
        }
        if (position.messageOffset == end.messageOffset) {
            return 0;
        }
        if (position.onOlderSegment(end)) {
            return -1;
        }
        return position.onSameSegment(end) ? Math.min(end.positionDiff(position), request.maxBytes) : 0;
    }

    @Override
    public void onExpiration() {
        fetches.markExpired(params);
    }

    @Override
    public void onComplete() {
        done.accept(fetches.readAgain(params, asked));
    }

    @Override
    public String toString() {
        return "WaitingFetch(params=" + params + ", partitions=" + asked.size() + ")";
    }
}
