package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetDeleteRequest;
import org.apache.kafka.common.requests.OffsetDeleteResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.metadata.MetadataCache;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** OffsetDelete (KIP-496). The coordinator is asked even if no partition is left: the group's own error comes first. */
@Component
@ServesApi(api_key = 47)
public final class OffsetDeleteHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public OffsetDeleteHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.metadata = metadata;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        OffsetDeleteRequestData data = request.body(OffsetDeleteRequest.class).data();
        RequestContext who = request.context();
        if (!authorization.isAllowed(who, AclOperation.DELETE, ResourceType.GROUP, data.groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
            return;
        }
        OffsetDeleteResponse.Builder answer = new OffsetDeleteResponse.Builder();
        OffsetDeleteRequestData deletion =
                new OffsetDeleteRequestData().setGroupId(data.groupId()).setTopics(deletable(who, data, answer));
        Answer.response(
                request,
                coordinator.deleteOffsets(who, deletion, request.local().bufferSupplier()),
                deleted -> answer.merge(deleted).build());
    }

    private OffsetDeleteRequestTopicCollection deletable(
            RequestContext who, OffsetDeleteRequestData data, OffsetDeleteResponse.Builder answer) {
        MetadataCache cache = metadata.cache();
        Set<String> readable = authorization.allowed(
                who, AclOperation.READ, ResourceType.TOPIC, data.topics(), OffsetDeleteRequestTopic::name);
        OffsetDeleteRequestTopicCollection topics = new OffsetDeleteRequestTopicCollection();
        for (OffsetDeleteRequestTopic topic : data.topics()) {
            if (!readable.contains(topic.name())) {
                refuse(answer, topic, Errors.TOPIC_AUTHORIZATION_FAILED);
            } else if (!cache.contains(topic.name())) {
                refuse(answer, topic, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            } else {
                OffsetDeleteRequestTopic known = known(cache, topic, answer);
                if (!known.partitions().isEmpty()) {
                    topics.add(known);
                }
            }
        }
        return topics;
    }

    private static OffsetDeleteRequestTopic known(
            MetadataCache cache, OffsetDeleteRequestTopic topic, OffsetDeleteResponse.Builder answer) {
        OffsetDeleteRequestTopic known = new OffsetDeleteRequestTopic().setName(topic.name());
        for (OffsetDeleteRequestPartition partition : topic.partitions()) {
            if (cache.getLeaderAndIsr(topic.name(), partition.partitionIndex()).isPresent()) {
                known.partitions().add(partition);
            } else {
                answer.addPartition(topic.name(), partition.partitionIndex(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        return known;
    }

    private static void refuse(OffsetDeleteResponse.Builder answer, OffsetDeleteRequestTopic topic, Errors error) {
        answer.addPartitions(topic.name(), topic.partitions(), OffsetDeleteRequestPartition::partitionIndex, error);
    }
}
