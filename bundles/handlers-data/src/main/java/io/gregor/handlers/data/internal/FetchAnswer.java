package io.gregor.handlers.data.internal;

import io.gregor.internal.replication.Replicas.KnownLeader;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.FetchResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.server.FetchContext;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** The answer to one Fetch request while it is made: what was read, then what was refused. Owned by one thread at a time. */
@SuppressWarnings("NonApiType") // Kafka's answers are made of such a map
public final class FetchAnswer {
    /** Up to this version clients do not know of storage errors. */
    private static final short NO_STORAGE_ERRORS = 5;

    /** From this version on clients are told where to go instead. */
    private static final short LEADERS = 16;

    private final short version;
    private final FetchContext session;
    private final Leaders leaders;
    private final LinkedHashMap<TopicIdPartition, PartitionData> refused = new LinkedHashMap<>();

    /**
     * @param version the request's
     * @param session decides what of the answer is news to the client
     */
    public FetchAnswer(short version, FetchContext session, Leaders leaders) {
        this.version = version;
        this.session = session;
        this.leaders = leaders;
    }

    /** Refuses a partition. */
    public void refuse(TopicIdPartition partition, Errors error) {
        refused.put(partition, FetchResponse.partitionResponse(partition, error));
    }

    /** What the answer has of all partitions, with what was read of them, in the same order. */
    public LinkedHashMap<TopicIdPartition, PartitionData> partitions(
            List<PartitionFetch> asked, List<FetchPartitionData> read) {
        LinkedHashMap<TopicIdPartition, PartitionData> partitions = new LinkedHashMap<>();
        for (int i = 0; i < read.size(); i++) {
            TopicIdPartition partition = asked.get(i).partition();
            partitions.put(partition, partitionData(partition, read.get(i)));
        }
        partitions.putAll(refused);
        return partitions;
    }

    /** How many bytes the answer has with these partitions, as quotas count it. */
    public int size(LinkedHashMap<TopicIdPartition, PartitionData> partitions) {
        return session.getResponseSize(partitions, version);
    }

    /** The answer with these partitions. */
    public FetchResponse response(LinkedHashMap<TopicIdPartition, PartitionData> partitions) {
        return session.updateAndGenerateResponseData(partitions, leaders.nodes());
    }

    /** The answer for a client that is to be held back: nothing, and the session stays where it is. */
    public FetchResponse throttled(int throttleTimeMs) {
        return session.getThrottledResponse(throttleTimeMs, leaders.nodes());
    }

    private PartitionData partitionData(TopicIdPartition partition, FetchPartitionData read) {
        PartitionData data = new PartitionData()
                .setPartitionIndex(partition.partition())
                .setErrorCode(known(read.error).code())
                .setHighWatermark(read.highWatermark)
                .setLastStableOffset(read.lastStableOffset.orElse(FetchResponse.INVALID_LAST_STABLE_OFFSET))
                .setLogStartOffset(read.logStartOffset)
                .setAbortedTransactions(read.abortedTransactions.orElse(null))
                .setRecords(read.records)
                .setPreferredReadReplica(read.preferredReadReplica.orElse(FetchResponse.INVALID_PREFERRED_REPLICA_ID));
        if (version >= LEADERS
                && (read.error == Errors.NOT_LEADER_OR_FOLLOWER || read.error == Errors.FENCED_LEADER_EPOCH)) {
            KnownLeader leader = leaders.of(partition.topicPartition());
            data.setCurrentLeader(
                    new LeaderIdAndEpoch().setLeaderId(leader.leaderId()).setLeaderEpoch(leader.leaderEpoch()));
        }
        read.divergingEpoch.ifPresent(data::setDivergingEpoch);
        return data;
    }

    private Errors known(Errors error) {
        return error == Errors.KAFKA_STORAGE_ERROR && version <= NO_STORAGE_ERRORS
                ? Errors.NOT_LEADER_OR_FOLLOWER
                : error;
    }

    /** Counts what goes out. */
    public static void count(
            BrokerTopicStats stats, boolean isFollower, List<PartitionFetch> asked, List<FetchPartitionData> read) {
        for (int i = 0; i < read.size(); i++) {
            int bytes = read.get(i).records.sizeInBytes();
            if (bytes > 0) {
                stats.updateBytesOut(
                        asked.get(i).partition().topic(), isFollower, read.get(i).isReassignmentFetch, bytes);
            }
        }
    }
}
