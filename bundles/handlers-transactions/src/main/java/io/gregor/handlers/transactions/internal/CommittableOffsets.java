package io.gregor.handlers.transactions.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;
import org.apache.kafka.metadata.MetadataCache;

/**
 * The offsets of a request that the coordinator may commit, and an answer that refuses the rest. Immutable.
 *
 * @param topics of partitions that there are, each with name and id
 */
public record CommittableOffsets(List<TxnOffsetCommitRequestTopic> topics, TxnOffsetCommitResponse.Builder answer) {
    /** The topics of a request, with the names that belong to their ids; empty where there is no such topic. */
    public static List<TxnOffsetCommitRequestTopic> named(
            TxnOffsetCommitRequestData data, short apiVersion, MetadataCache cache) {
        if (TxnOffsetCommitResponse.useTopicIds(apiVersion)) {
            data.topics().forEach(topic -> cache.getTopicName(topic.topicId()).ifPresent(topic::setName));
        }
        return data.topics();
    }

    /** Sorts the topics of a request, which are {@link #named}. */
    public static CommittableOffsets of(
            TxnOffsetCommitRequestData data, short apiVersion, MetadataCache cache, Predicate<String> isReadable) {
        boolean withIds = TxnOffsetCommitResponse.useTopicIds(apiVersion);
        CommittableOffsets offsets =
                new CommittableOffsets(new ArrayList<>(), TxnOffsetCommitResponse.newBuilder(withIds));
        for (TxnOffsetCommitRequestTopic topic : data.topics()) {
            if (withIds && topic.name().isEmpty()) {
                offsets.refuse(topic, Errors.UNKNOWN_TOPIC_ID);
            } else if (!isReadable.test(topic.name())) {
                offsets.refuse(topic, Errors.TOPIC_AUTHORIZATION_FAILED);
            } else {
                offsets.add(topic.name(), withIds ? topic.topicId() : cache.getTopicId(topic.name()), topic, cache);
            }
        }
        return offsets;
    }

    private void add(String name, Uuid id, TxnOffsetCommitRequestTopic topic, MetadataCache cache) {
        TxnOffsetCommitRequestTopic known =
                new TxnOffsetCommitRequestTopic().setName(name).setTopicId(id);
        for (TxnOffsetCommitRequestPartition partition : topic.partitions()) {
            if (cache.getLeaderAndIsr(name, partition.partitionIndex()).isPresent()) {
                known.partitions().add(partition);
            } else {
                answer.addPartition(id, name, partition.partitionIndex(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        if (!known.partitions().isEmpty()) {
            topics.add(known);
        }
    }

    private void refuse(TxnOffsetCommitRequestTopic topic, Errors error) {
        answer.addPartitions(
                topic.topicId(),
                topic.name(),
                topic.partitions(),
                TxnOffsetCommitRequestPartition::partitionIndex,
                error);
    }
}
