package io.gregor.handlers.data.internal;

import io.gregor.internal.replication.Replicas.KnownLeader;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.ProduceResponseData.NodeEndpoint;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;

/**
 * The answer to one Produce request while it is made: a place for every partition, in the order of the request, filled at once
 * where the partition is refused and after the append where it is not. Owned by one thread at a time.
 */
public final class ProduceAnswer {
    private final short version;
    private final Leaders leaders;
    private final ProduceResponseData data = new ProduceResponseData();
    private final List<PartitionProduceResponse> awaited = new ArrayList<>();
    private boolean hasErrors;

    /**
     * @param version the request's
     */
    public ProduceAnswer(short version, Leaders leaders) {
        this.version = version;
        this.leaders = leaders;
    }

    /** Opens a topic, to whose partitions the next places belong. */
    public TopicProduceResponse topic(String name, Uuid id) {
        TopicProduceResponse topic = new TopicProduceResponse().setName(name).setTopicId(id);
        data.responses().add(topic);
        return topic;
    }

    /** Refuses a partition. */
    public void refuse(TopicProduceResponse topic, int partition, Errors error, String message) {
        hasErrors = true;
        topic.partitionResponses()
                .add(place(partition)
                        .setErrorCode(error.code())
                        .setErrorMessage(message.isEmpty() ? null : message)
                        .setBaseOffset(ProduceResponse.INVALID_OFFSET));
    }

    /** Keeps a place for a partition that is appended to. */
    public void await(TopicProduceResponse topic, int partition) {
        PartitionProduceResponse place = place(partition);
        topic.partitionResponses().add(place);
        awaited.add(place);
    }

    private static PartitionProduceResponse place(int partition) {
        return new PartitionProduceResponse()
                .setIndex(partition)
                .setLogAppendTimeMs(RecordBatch.NO_TIMESTAMP)
                .setLogStartOffset(ProduceResponse.INVALID_OFFSET);
    }

    /**
     * Fills the places that were kept.
     *
     * @param topics the partitions, in the order of {@link #await}
     * @param results what became of them, in the same order
     */
    public void fill(List<TopicPartition> topics, List<PartitionResponse> results) {
        for (int i = 0; i < results.size(); i++) {
            PartitionResponse result = results.get(i);
            PartitionProduceResponse place = awaited.get(i)
                    .setErrorCode(result.error.code())
                    .setBaseOffset(result.baseOffset)
                    .setLogAppendTimeMs(result.logAppendTime)
                    .setLogStartOffset(result.logStartOffset)
                    .setErrorMessage(result.errorMessage);
            for (RecordError error : result.recordErrors) {
                place.recordErrors()
                        .add(new BatchIndexAndErrorMessage()
                                .setBatchIndex(error.batchIndex)
                                .setBatchIndexErrorMessage(error.message));
            }
            if (result.error != Errors.NONE) {
                hasErrors = true;
                if (version >= 10 && result.error == Errors.NOT_LEADER_OR_FOLLOWER) {
                    tellLeader(place, topics.get(i));
                }
            }
        }
    }

    private void tellLeader(PartitionProduceResponse place, TopicPartition partition) {
        KnownLeader leader = leaders.of(partition);
        place.setCurrentLeader(
                new LeaderIdAndEpoch().setLeaderId(leader.leaderId()).setLeaderEpoch(leader.leaderEpoch()));
    }

    /** Whether anything was refused. */
    public boolean hasErrors() {
        return hasErrors;
    }

    /** The whole answer. */
    public ProduceResponse response() {
        if (hasErrors) {
            for (Node node : leaders.nodes()) {
                data.nodeEndpoints()
                        .add(new NodeEndpoint()
                                .setNodeId(node.id())
                                .setHost(node.host())
                                .setPort(node.port())
                                .setRack(node.rack()));
            }
        }
        return new ProduceResponse(data);
    }
}
