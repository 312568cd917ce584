package io.gregor.share.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import io.gregor.internal.share.SharePartitions.Wanted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.server.share.fetch.PartitionMaxBytesStrategy;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reading of those of a fetch's partitions that have something, from the claim to the acquired records. Owned by the thread
 * that has the turn of its fetch; what was read may be brought by any thread.
 */
final class FetchRound {
    private static final Logger LOGGER = LoggerFactory.getLogger(FetchRound.class);

    private static final PartitionMaxBytesStrategy SHARES =
            PartitionMaxBytesStrategy.type(PartitionMaxBytesStrategy.StrategyType.UNIFORM);

    /** So many offsets are looked at beyond those that are wanted, as some are in other hands. */
    private static final int BEYOND = 4000;

    private final ShareContext context;
    private final Wanted wanted;
    private final FetchIsolation isolation;
    private final List<SharePartition> claimed = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();
    private final Map<TopicIdPartition, PartitionData> taken = new LinkedHashMap<>();
    private boolean hasMoved;

    @GuardedBy("this")
    private @Nullable List<FetchPartitionData> read;

    @GuardedBy("this")
    private boolean isAwaited;

    private FetchRound(ShareContext context, Wanted wanted) {
        this.context = context;
        this.wanted = wanted;
        this.isolation = context.settings().isolation(wanted.member().groupId());
    }

    /** Claims what there is to read; null if there is nothing. */
    static @Nullable FetchRound claim(ShareContext context, Wanted wanted, List<SharePartition> partitions) {
        FetchRound round = new FetchRound(context, wanted);
        for (SharePartition partition : partitions) {
            round.claim(partition);
        }
        if (round.claimed.isEmpty()) {
            return null;
        }
        long percent = round.claimed.size() * 100L / partitions.size();
        context.metrics().recordTopicPartitionsFetchRatio(wanted.member().groupId(), percent);
        return round;
    }

    private void claim(SharePartition partition) {
        if (firstVisible(partition) < 0 || !partition.claim()) {
            return;
        }
        long offset = firstVisible(partition);
        if (offset < 0) {
            partition.unclaim();
            return;
        }
        claimed.add(partition);
        offsets.add(offset);
    }

    private long firstVisible(SharePartition partition) {
        return context.replicas()
                .log(partition.key().topicIdPartition().topicPartition())
                .map(log -> {
                    partition.logStartsAt(log.logStartOffset());
                    long next = partition.next();
                    long end = isolation == FetchIsolation.TXN_COMMITTED ? log.lastStableOffset() : log.highWatermark();
                    return next < end ? next : -1;
                })
                .orElse(-1L);
    }

    /**
     * Reads what is claimed.
     *
     * @param later called when it is read, if it is not when this returns
     */
    void read(Runnable later) {
        Set<TopicIdPartition> partitions = new LinkedHashSet<>();
        claimed.forEach(one -> partitions.add(one.key().topicIdPartition()));
        Map<TopicIdPartition, Integer> maxBytes = SHARES.maxBytes(wanted.maxBytes(), partitions, partitions.size());
        List<PartitionFetch> asked = new ArrayList<>(claimed.size());
        for (int i = 0; i < claimed.size(); i++) {
            TopicIdPartition partition = claimed.get(i).key().topicIdPartition();
            asked.add(new PartitionFetch(
                    partition,
                    new FetchRequest.PartitionData(
                            partition.topicId(),
                            offsets.get(i),
                            FetchRequest.INVALID_LOG_START_OFFSET,
                            maxBytes.getOrDefault(partition, wanted.maxBytes()),
                            Optional.empty())));
        }
        FetchParams params = new FetchParams(
                FetchRequest.CONSUMER_REPLICA_ID, -1, 0, 1, wanted.maxBytes(), isolation, Optional.empty());
        context.replicas().fetch(params, asked, results -> {
            if (arrive(results)) {
                later.run();
            }
        });
        synchronized (this) {
            isAwaited = read == null;
        }
    }

    private synchronized boolean arrive(List<FetchPartitionData> results) {
        read = results;
        return isAwaited;
    }

    synchronized boolean isRead() {
        return read != null;
    }

    private synchronized List<FetchPartitionData> results() {
        return read == null ? List.of() : read;
    }

    /**
     * Acquires of what was read, and gives the claims back.
     *
     * @param minBytes nothing is acquired if less was read and there is no error
     * @return what there is to tell of each partition; empty if nothing
     */
    Map<TopicIdPartition, PartitionData> take(int minBytes) {
        List<FetchPartitionData> results = results();
        try {
            boolean isEnough = results.stream().anyMatch(one -> one.error != Errors.NONE)
                    || results.stream()
                                    .mapToLong(one -> one.records.sizeInBytes())
                                    .sum()
                            >= minBytes;
            long room = wanted.maxRecords();
            for (int i = 0; isEnough && i < results.size() && room > 0; i++) {
                room -= take(claimed.get(i), offsets.get(i), results.get(i), room);
            }
        } finally {
            leave();
        }
        return taken;
    }

    /** Gives the claims back. */
    void leave() {
        claimed.forEach(SharePartition::unclaim);
    }

    private long take(SharePartition partition, long offset, FetchPartitionData result, long room) {
        TopicIdPartition key = partition.key().topicIdPartition();
        if (result.error == Errors.OFFSET_OUT_OF_RANGE) {
            return 0;
        }
        if (result.error != Errors.NONE) {
            if (result.error == Errors.NOT_LEADER_OR_FOLLOWER) {
                context.wakes().later(() -> partition.end(result.error));
            }
            taken.put(key, failed(key, result.error));
            return 0;
        }
        try {
            return take(partition, offset, result, ReadBatches.of(result, room + BEYOND), room);
        } catch (KafkaException damaged) {
            LOGGER.debug("records could not be looked at: {}", key, damaged);
            taken.put(key, failed(key, Errors.forException(damaged)));
            return 0;
        }
    }

    private long take(
            SharePartition partition, long offset, FetchPartitionData result, List<ReadBatch> batches, long room) {
        partition.logStartsAt(result.logStartOffset);
        if (batches.isEmpty()) {
            return 0;
        }
        hasMoved = true;
        Acquired acquired = partition.acquire(wanted, room, offset, batches);
        if (!acquired.isEmpty()) {
            TopicIdPartition key = partition.key().topicIdPartition();
            taken.put(
                    key,
                    new PartitionData()
                            .setPartitionIndex(key.partition())
                            .setRecords(ReadBatches.slice(result.records, batches, acquired))
                            .setAcquiredRecords(acquired.ranges()));
        }
        return acquired.count();
    }

    /** Whether records were looked at: if none of them was for members, the next ones may be. */
    boolean hasMoved() {
        return hasMoved;
    }

    /** Nothing but an error, or not even that. */
    static PartitionData failed(TopicIdPartition partition, Errors error) {
        return new PartitionData().setPartitionIndex(partition.partition()).setErrorCode(error.code());
    }
}
