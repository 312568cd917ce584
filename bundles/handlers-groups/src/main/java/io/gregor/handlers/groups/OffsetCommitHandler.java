package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.metadata.MetadataCache;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** OffsetCommit: what may not be committed is answered here, the rest is the coordinator's (topic ids: KIP-848). */
@Component
@ServesApi(api_key = 8, api_brief = true)
public final class OffsetCommitHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public OffsetCommitHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.metadata = metadata;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        OffsetCommitRequestData data = request.body(OffsetCommitRequest.class).data();
        RequestContext who = request.context();
        if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, data.groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
            return;
        }
        boolean withIds = OffsetCommitResponse.useTopicIds(request.apiVersion());
        OffsetCommitResponse.Builder answer = OffsetCommitResponse.newBuilder(withIds);
        List<OffsetCommitRequestTopic> topics = committable(who, data, withIds, answer);
        if (topics.isEmpty()) {
            request.respond(answer.build());
            return;
        }
        OffsetCommitRequestData commit = new OffsetCommitRequestData()
                .setGroupId(data.groupId())
                .setMemberId(data.memberId())
                .setGenerationIdOrMemberEpoch(data.generationIdOrMemberEpoch())
                .setRetentionTimeMs(data.retentionTimeMs())
                .setGroupInstanceId(data.groupInstanceId())
                .setTopics(topics);
        Answer.response(
                request,
                coordinator.commitOffsets(who, commit, request.local().bufferSupplier()),
                committed -> answer.merge(committed).build());
    }

    private List<OffsetCommitRequestTopic> committable(
            RequestContext who, OffsetCommitRequestData data, boolean withIds, OffsetCommitResponse.Builder answer) {
        MetadataCache cache = metadata.cache();
        if (withIds) {
            data.topics().forEach(topic -> cache.getTopicName(topic.topicId()).ifPresent(topic::setName));
        }
        Set<String> readable = authorization.allowed(
                who, AclOperation.READ, ResourceType.TOPIC, data.topics(), OffsetCommitRequestTopic::name);
        List<OffsetCommitRequestTopic> topics = new ArrayList<>();
        for (OffsetCommitRequestTopic topic : data.topics()) {
            if (withIds && topic.name().isEmpty()) {
                refuse(answer, topic, Errors.UNKNOWN_TOPIC_ID);
            } else if (!readable.contains(topic.name())) {
                refuse(answer, topic, Errors.TOPIC_AUTHORIZATION_FAILED);
            } else {
                if (!withIds) {
                    topic.setTopicId(cache.getTopicId(topic.name()));
                }
                addKnown(cache, topic, topics, answer);
            }
        }
        return topics;
    }

    private static void addKnown(
            MetadataCache cache,
            OffsetCommitRequestTopic topic,
            List<OffsetCommitRequestTopic> topics,
            OffsetCommitResponse.Builder answer) {
        if (topic.topicId().equals(Uuid.ZERO_UUID)) {
            refuse(answer, topic, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            return;
        }
        OffsetCommitRequestTopic known =
                new OffsetCommitRequestTopic().setTopicId(topic.topicId()).setName(topic.name());
        for (OffsetCommitRequestPartition partition : topic.partitions()) {
            if (cache.getLeaderAndIsr(topic.name(), partition.partitionIndex()).isPresent()) {
                known.partitions().add(partition);
            } else {
                answer.addPartition(
                        topic.topicId(), topic.name(), partition.partitionIndex(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        if (!known.partitions().isEmpty()) {
            topics.add(known);
        }
    }

    private static void refuse(OffsetCommitResponse.Builder answer, OffsetCommitRequestTopic topic, Errors error) {
        answer.addPartitions(
                topic.topicId(), topic.name(), topic.partitions(), OffsetCommitRequestPartition::partitionIndex, error);
    }
}
