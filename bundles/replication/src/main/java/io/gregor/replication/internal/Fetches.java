package io.gregor.replication.internal;

import com.yammer.metrics.core.Meter;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.FencedLeaderEpochException;
import org.apache.kafka.common.errors.InconsistentTopicIdException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.UnknownLeaderEpochException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.server.replica.Replica;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.LogReadInfo;
import org.apache.kafka.storage.internals.log.LogReadResult;
import org.apache.kafka.storage.internals.log.RemoteStorageFetchInfo;
import org.apache.kafka.storage.log.metrics.BrokerTopicMetrics;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads for fetch requests: at once where there is enough, else waiting in the purgatory. Shared: any thread. */
final class Fetches {
    private static final Logger LOGGER = LoggerFactory.getLogger(Fetches.class);

    private final BrokerContext broker;
    private final Partitions partitions;
    private final IsrChanges isrChanges;
    private final @Nullable RemoteReads remote;
    private final BrokerTopicStats topicStats;
    private final Meter expiredConsumers;
    private final Meter expiredFollowers;

    Fetches(BrokerContext broker, Partitions partitions, IsrChanges isrChanges, ReplicaMetrics metrics) {
        this.broker = broker;
        this.isrChanges = isrChanges;
        this.partitions = partitions;
        this.remote = broker.remote() == null ? null : new RemoteReads(broker.remote(), broker, partitions);
        this.topicStats = broker.logs().topicStats();
        this.expiredConsumers = metrics.expiredConsumerFetches();
        this.expiredFollowers = metrics.expiredFollowerFetches();
    }

    /** Answers at once, or keeps the request until there is something to answer; the result ends the wait, null if there is none. */
    @Nullable
    Runnable fetch(FetchParams params, List<PartitionFetch> asked, Consumer<List<FetchPartitionData>> done) {
        List<LogReadResult> results = read(params, asked, params.isFromFollower());
        boolean settled = params.maxWaitMs <= 0 || asked.isEmpty();
        boolean isRemote = false;
        long bytes = 0;
        for (int i = 0; i < results.size(); i++) {
            LogReadResult result = results.get(i);
            isRemote |= result.info().delayedRemoteStorageFetch.isPresent();
            markRequest(asked.get(i).partition().topic());
            settled |= result.error() != Errors.NONE || result.divergingEpoch().isPresent();
            bytes += result.info().records.sizeInBytes();
        }
        if (isRemote && remote != null) {
            return remote.read(params, asked, results, done);
        }
        if (settled || bytes >= params.minBytes) {
            done.accept(answers(params, asked, results));
            return null;
        }
        WaitingFetch waiting = await(params, asked, results, done);
        return waiting.isCompleted() ? null : waiting::forceComplete;
    }

    private void markRequest(String topic) {
        topicStats.topicStats(topic).totalFetchRequestRate().mark();
        topicStats.allTopicsStats().totalFetchRequestRate().mark();
    }

    private WaitingFetch await(
            FetchParams params,
            List<PartitionFetch> asked,
            List<LogReadResult> results,
            Consumer<List<FetchPartitionData>> done) {
        List<LogOffsetMetadata> positions = new ArrayList<>(results.size());
        List<TopicPartitionOperationKey> keys = new ArrayList<>(results.size());
        for (int i = 0; i < results.size(); i++) {
            positions.add(results.get(i).info().fetchOffsetMetadata);
            Partition partition = partitions.find(asked.get(i).partition().topicPartition());
            keys.add(
                    partition != null
                            ? partition.key()
                            : new TopicPartitionOperationKey(asked.get(i).partition()));
        }
        WaitingFetch waiting = new WaitingFetch(this, params, asked, positions, done);
        broker.waiting().fetches().tryCompleteElseWatch(waiting, keys);
        return waiting;
    }

    /** The partition that a waiting fetch looks at; throws what its client is to be told. */
    Partition partition(TopicIdPartition asked) {
        Partition partition = partitions.require(asked.topicPartition());
        requireTopicId(asked, partition);
        return partition;
    }

    /** Reads once more what was waited for. */
    List<FetchPartitionData> readAgain(FetchParams params, List<PartitionFetch> asked) {
        return answers(params, asked, read(params, asked, false));
    }

    void markExpired(FetchParams params) {
        (params.isFromFollower() ? expiredFollowers : expiredConsumers).mark();
    }

    private List<FetchPartitionData> answers(
            FetchParams params, List<PartitionFetch> asked, List<LogReadResult> results) {
        List<FetchPartitionData> answers = new ArrayList<>(results.size());
        for (int i = 0; i < results.size(); i++) {
            answers.add(results.get(i)
                    .toFetchPartitionData(isReassignment(params, asked.get(i).partition())));
        }
        return answers;
    }

    private boolean isReassignment(FetchParams params, TopicIdPartition asked) {
        if (!params.isFromFollower()) {
            return false;
        }
        Partition partition = partitions.online(asked.topicPartition());
        return partition != null && partition.replicas().isAdding(params.replicaId);
    }

    /**
     * Reads the partitions in turn until the request's size is used up; the first records come whatever their size.
     *
     * @param isFollowersFirst whether a follower tells with it how far it is; not once more when it has waited
     */
    private List<LogReadResult> read(FetchParams params, List<PartitionFetch> asked, boolean isFollowersFirst) {
        List<LogReadResult> results = new ArrayList<>(asked.size());
        int limitBytes = params.maxBytes;
        boolean minOneMessage = true;
        for (PartitionFetch fetch : asked) {
            LogReadResult result = readOne(params, fetch, limitBytes, minOneMessage, isFollowersFirst);
            int bytes = result.info().records.sizeInBytes() + bytesToCome(result);
            minOneMessage &= bytes == 0;
            limitBytes = Math.max(0, limitBytes - bytes);
            results.add(result);
        }
        return results;
    }

    /** How much a read that is to be done remotely may bring. */
    private static int bytesToCome(LogReadResult result) {
        return result.info()
                .delayedRemoteStorageFetch
                .map(RemoteStorageFetchInfo::fetchMaxBytes)
                .orElse(0);
    }

    private LogReadResult readOne(
            FetchParams params, PartitionFetch fetch, int limitBytes, boolean minOneMessage, boolean isFollowersFirst) {
        FetchRequest.PartitionData request = fetch.request();
        int maxBytes = Math.min(request.maxBytes, limitBytes);
        try {
            Partition partition = partition(fetch.partition());
            LogReadInfo read = PartitionReads.read(partition, params, request, maxBytes, minOneMessage);
            if (isFollowersFirst && read.divergingEpoch().isEmpty()) {
                Replica replica = PartitionReads.requireFollower(partition, params.replicaId, request);
                isrChanges.fetched(partition, replica, read, request.logStartOffset, params.replicaEpoch);
            }
            return new LogReadResult(
                    wholeBatches(read.fetchedData()),
                    read.divergingEpoch(),
                    read.highWatermark(),
                    read.logStartOffset(),
                    read.logEndOffset(),
                    request.logStartOffset,
                    broker.time().milliseconds(),
                    OptionalLong.of(read.lastStableOffset()),
                    Errors.NONE);
        } catch (UnknownTopicOrPartitionException
                | NotLeaderOrFollowerException
                | UnknownLeaderEpochException
                | FencedLeaderEpochException
                | KafkaStorageException
                | InconsistentTopicIdException e) {
            return new LogReadResult(Errors.forException(e));
        } catch (OffsetOutOfRangeException e) {
            LogReadResult instead = remote == null ? null : remote.instead(params, fetch, maxBytes, minOneMessage);
            return instead == null ? new LogReadResult(Errors.OFFSET_OUT_OF_RANGE) : instead;
        } catch (RuntimeException e) {
            BrokerTopicMetrics topic = topicStats.topicStats(fetch.partition().topic());
            topic.failedFetchRequestRate().mark();
            topicStats.allTopicsStats().failedFetchRequestRate().mark();
            LOGGER.error("read failed: partition={} request={}", fetch.partition(), request, e);
            return new LogReadResult(Errors.forException(e));
        }
    }

    /** A batch that does not fit is not sent in part: the client asks again with this partition first. */
    private static FetchDataInfo wholeBatches(FetchDataInfo data) {
        return data.firstEntryIncomplete ? new FetchDataInfo(data.fetchOffsetMetadata, MemoryRecords.EMPTY) : data;
    }

    private static void requireTopicId(TopicIdPartition asked, Partition partition) {
        Uuid id = asked.topicId();
        if (!id.equals(partition.topicId()) && !id.equals(Uuid.ZERO_UUID)) {
            throw new InconsistentTopicIdException(
                    "Topic ID in the fetch session did not match the topic ID in the log.");
        }
    }
}
