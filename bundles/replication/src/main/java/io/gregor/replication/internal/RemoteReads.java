package io.gregor.replication.internal;

import io.gregor.internal.replication.Replicas.PartitionFetch;
import io.gregor.internal.storage.RemoteLogs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.server.log.remote.storage.RemoteLogManager;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;
import org.apache.kafka.server.purgatory.DelayedRemoteFetch;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.FetchPartitionStatus;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.LogReadResult;
import org.apache.kafka.storage.internals.log.RemoteLogReadResult;
import org.apache.kafka.storage.internals.log.RemoteStorageFetchInfo;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads for fetch requests from below the start of the local logs (KIP-405). The bytes come on the remote log manager's
 * threads; the request waits in a purgatory of its own until the last of its remote partitions is read, for {@code
 * remote.fetch.max.wait.ms} at most. Shared: any thread.
 */
final class RemoteReads {
    private static final Logger LOGGER = LoggerFactory.getLogger(RemoteReads.class);

    /** The name of its purgatory. */
    static final String PURGATORY = "RemoteFetch";

    private final RemoteLogs remote;
    private final Partitions partitions;
    private final BrokerContext broker;
    private final DelayedOperationPurgatory<DelayedRemoteFetch> waiting;

    RemoteReads(RemoteLogs remote, BrokerContext broker, Partitions partitions) {
        this.remote = remote;
        this.broker = broker;
        this.partitions = partitions;
        this.waiting = broker.waiting().ofLeaders(PURGATORY, broker.id(), 0);
    }

    /**
     * What a read that found its offset out of the local range ends in: to be read remotely, to be asked for again when the
     * quota or the size of the response allow it, for a follower the news that the offset has moved; null if the offset is not
     * in remote storage either.
     */
    @Nullable
    LogReadResult instead(FetchParams params, PartitionFetch fetch, int maxBytes, boolean minOneMessage) {
        Partition partition = partitions.online(fetch.partition().topicPartition());
        UnifiedLog log = partition == null ? null : partition.log();
        long offset = fetch.request().fetchOffset;
        if (log == null
                || !log.remoteLogEnabled()
                || offset < log.logStartOffset()
                || offset >= log.localLogStartOffset()) {
            return null;
        }
        return params.isFromFollower()
                ? moved(log)
                : result(log, fetch, dataToCome(params, fetch, maxBytes, minOneMessage));
    }

    private static LogReadResult moved(UnifiedLog log) {
        return new LogReadResult(
                new FetchDataInfo(LogOffsetMetadata.UNKNOWN_OFFSET_METADATA, MemoryRecords.EMPTY),
                Optional.empty(),
                log.highWatermark(),
                log.logStartOffset(),
                log.logEndOffset(),
                -1L,
                -1L,
                OptionalLong.empty(),
                Errors.OFFSET_MOVED_TO_TIERED_STORAGE);
    }

    private LogReadResult result(UnifiedLog log, PartitionFetch fetch, FetchDataInfo data) {
        return new LogReadResult(
                data,
                Optional.empty(),
                log.highWatermark(),
                log.logStartOffset(),
                log.logEndOffset(),
                fetch.request().logStartOffset,
                broker.time().milliseconds(),
                OptionalLong.of(log.lastStableOffset()),
                Errors.NONE);
    }

    private FetchDataInfo dataToCome(FetchParams params, PartitionFetch fetch, int maxBytes, boolean minOneMessage) {
        RemoteLogManager manager = remote.manager();
        LogOffsetMetadata offset = new LogOffsetMetadata(fetch.request().fetchOffset);
        long throttleMs = manager.getFetchThrottleTimeMs();
        if (throttleMs > 0) {
            manager.fetchThrottleTimeSensor()
                    .record((double) throttleMs, broker.time().milliseconds());
            return new FetchDataInfo(offset, MemoryRecords.EMPTY);
        }
        Optional<RemoteStorageFetchInfo> asked = maxBytes == 0
                ? Optional.empty()
                : Optional.of(new RemoteStorageFetchInfo(
                        maxBytes, minOneMessage, fetch.partition(), fetch.request(), params.isolation));
        return new FetchDataInfo(offset, MemoryRecords.EMPTY, false, Optional.empty(), asked);
    }

    /**
     * Reads what is remote, and answers then.
     *
     * @param results of the local reads, some of which are to be done remotely
     * @return ends the wait
     */
    Runnable read(
            FetchParams params,
            List<PartitionFetch> asked,
            List<LogReadResult> results,
            Consumer<List<FetchPartitionData>> done) {
        Map<TopicIdPartition, RemoteStorageFetchInfo> remotes = new LinkedHashMap<>();
        Map<TopicIdPartition, LogReadResult> locals = new LinkedHashMap<>();
        Map<TopicIdPartition, FetchPartitionStatus> positions = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            PartitionFetch fetch = asked.get(i);
            FetchDataInfo data = results.get(i).info();
            locals.put(fetch.partition(), results.get(i));
            positions.put(fetch.partition(), new FetchPartitionStatus(data.fetchOffsetMetadata, fetch.request()));
            data.delayedRemoteStorageFetch.ifPresent(info -> remotes.put(fetch.partition(), info));
        }
        Map<TopicIdPartition, Future<Void>> tasks = new HashMap<>();
        Map<TopicIdPartition, CompletableFuture<RemoteLogReadResult>> reads = new HashMap<>();
        List<TopicPartitionOperationKey> keys = new ArrayList<>(remotes.size());
        remotes.forEach((partition, info) -> {
            CompletableFuture<RemoteLogReadResult> read = new CompletableFuture<>();
            TopicPartitionOperationKey key = new TopicPartitionOperationKey(partition);
            keys.add(key);
            reads.put(partition, read);
            tasks.put(partition, begin(info, read, key));
        });
        DelayedRemoteFetch operation = new DelayedRemoteFetch(
                tasks,
                reads,
                remotes,
                remote.fetchMaxWaitMs(),
                positions,
                params,
                locals,
                partitions::require,
                answers -> done.accept(inOrder(asked, answers)));
        waiting.tryCompleteElseWatch(operation, keys);
        return operation::forceComplete;
    }

    /** Null if the readers' queue is full: then the read has failed. */
    private @Nullable Future<Void> begin(
            RemoteStorageFetchInfo info, CompletableFuture<RemoteLogReadResult> read, TopicPartitionOperationKey key) {
        try {
            return remote.manager().asyncRead(info, result -> {
                read.complete(result);
                waiting.checkAndComplete(key);
            });
        } catch (RejectedExecutionException full) {
            LOGGER.warn("remote storage cannot be read: partition={} {}", info.topicIdPartition(), full.toString());
            read.complete(new RemoteLogReadResult(Optional.empty(), Optional.of(full)));
            return null;
        }
    }

    private static List<FetchPartitionData> inOrder(
            List<PartitionFetch> asked, Map<TopicIdPartition, FetchPartitionData> answers) {
        List<FetchPartitionData> ordered = new ArrayList<>(asked.size());
        for (PartitionFetch fetch : asked) {
            ordered.add(answers.get(fetch.partition()));
        }
        return ordered;
    }
}
