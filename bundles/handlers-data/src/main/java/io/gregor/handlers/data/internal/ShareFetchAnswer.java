package io.gregor.handlers.data.internal;

import io.gregor.internal.replication.Replicas.KnownLeader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.ShareFetchResponseData.NodeEndpoint;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.message.ShareFetchResponseData.ShareFetchableTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.ShareFetchResponse;
import org.apache.kafka.server.share.context.ShareFetchContext;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** The answer to one ShareFetch request, once all of it is known. Owned by the thread that answers. */
public final class ShareFetchAnswer {
    private final ShareSessionKey member;
    private final ShareFetchContext session;
    private final Leaders leaders;

    /**
     * @param session decides what of the answer is news to the member
     */
    public ShareFetchAnswer(ShareSessionKey member, ShareFetchContext session, Leaders leaders) {
        this.member = member;
        this.session = session;
        this.leaders = leaders;
    }

    /** The whole answer: what was fetched, and what became of the acknowledgements. */
    public ShareFetchResponse response(
            Map<TopicIdPartition, PartitionData> fetched,
            Map<TopicIdPartition, ApiError> acknowledged,
            int lockDurationMs) {
        fetched.forEach((partition, one) -> tellLeader(partition, one, one.errorCode()));
        ShareFetchResponse response = session.updateAndGenerateResponseData(
                member.groupId(), member.memberId(), new LinkedHashMap<>(fetched));
        ShareFetchResponseData data = response.data();
        if (data.errorCode() != Errors.NONE.code()) {
            return response;
        }
        acknowledged.forEach((partition, error) -> {
            short code = error.error().code();
            PartitionData one =
                    find(data, partition).setAcknowledgeErrorCode(code).setAcknowledgeErrorMessage(error.message());
            tellLeader(partition, one, code);
        });
        data.responses().forEach(topic -> topic.partitions().forEach(ShareFetchAnswer::withRecords));
        for (Node node : leaders.nodes()) {
            data.nodeEndpoints()
                    .add(new NodeEndpoint()
                            .setNodeId(node.id())
                            .setHost(node.host())
                            .setPort(node.port())
                            .setRack(node.rack()));
        }
        data.setAcquisitionLockTimeoutMs(lockDurationMs);
        return response;
    }

    /** Counts what goes out. */
    public static void count(BrokerTopicStats stats, Map<Uuid, String> names, ShareFetchResponse response) {
        for (ShareFetchableTopicResponse topic : response.data().responses()) {
            String name = names.get(topic.topicId());
            for (PartitionData one : topic.partitions()) {
                int bytes = one.records() == null ? 0 : one.records().sizeInBytes();
                if (name != null && bytes > 0) {
                    stats.updateBytesOut(name, false, false, bytes);
                }
            }
        }
    }

    /** No records are none, not null. */
    private static void withRecords(PartitionData one) {
        if (one.records() == null) {
            one.setRecords(MemoryRecords.EMPTY);
        }
    }

    private void tellLeader(TopicIdPartition partition, PartitionData one, short error) {
        if (error == Errors.NOT_LEADER_OR_FOLLOWER.code()) {
            KnownLeader leader = leaders.of(partition.topicPartition());
            one.setCurrentLeader(
                    new LeaderIdAndEpoch().setLeaderId(leader.leaderId()).setLeaderEpoch(leader.leaderEpoch()));
        }
    }

    private static PartitionData find(ShareFetchResponseData data, TopicIdPartition partition) {
        ShareFetchableTopicResponse topic = data.responses().find(partition.topicId());
        if (topic == null) {
            topic = new ShareFetchableTopicResponse().setTopicId(partition.topicId());
            data.responses().add(topic);
        }
        for (PartitionData one : topic.partitions()) {
            if (one.partitionIndex() == partition.partition()) {
                return one;
            }
        }
        PartitionData added = new PartitionData().setPartitionIndex(partition.partition());
        topic.partitions().add(added);
        return added;
    }
}
