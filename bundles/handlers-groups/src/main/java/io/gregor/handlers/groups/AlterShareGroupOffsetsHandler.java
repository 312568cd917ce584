package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopicCollection;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** AlterShareGroupOffsets (KIP-932): moves the start of an empty share group. */
@Component
@ServesApi(api_key = 91)
public final class AlterShareGroupOffsetsHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final ServedMetadata metadata;
    private final Authorization authorization;
    private final RebalanceProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public AlterShareGroupOffsetsHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.metadata = metadata;
        this.authorization = authorization;
        this.protocol = RebalanceProtocol.ofShares(metadata);
    }

    @Override
    public void handle(Request request) {
        AlterShareGroupOffsetsRequest body = request.body(AlterShareGroupOffsetsRequest.class);
        String group = body.data().groupId();
        RequestContext who = request.context();
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
        } else if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, group)) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
        } else {
            alter(request, body);
        }
    }

    private void alter(Request request, AlterShareGroupOffsetsRequest body) {
        RequestContext who = request.context();
        Map<String, Uuid> ids = metadata.cache().topicNamesToIds();
        AlterShareGroupOffsetsResponse.Builder answer = new AlterShareGroupOffsetsResponse.Builder();
        AlterShareGroupOffsetsRequestTopicCollection asked = new AlterShareGroupOffsetsRequestTopicCollection();
        for (AlterShareGroupOffsetsRequestTopic topic : body.data().topics()) {
            Errors error = error(who, topic.topicName());
            if (error == Errors.NONE) {
                asked.add(topic.duplicate());
            } else {
                topic.partitions()
                        .forEach(partition -> answer.addPartition(
                                topic.topicName(), partition.partitionIndex(), ids, new ApiError(error)));
            }
        }
        String group = body.data().groupId();
        Answer.response(
                request,
                coordinator.alterShareGroupOffsets(
                        who,
                        group,
                        new AlterShareGroupOffsetsRequestData()
                                .setGroupId(group)
                                .setTopics(asked)),
                altered -> response(body, answer, altered, ids));
    }

    private static AbstractResponse response(
            AlterShareGroupOffsetsRequest body,
            AlterShareGroupOffsetsResponse.Builder answer,
            AlterShareGroupOffsetsResponseData altered,
            Map<String, Uuid> ids) {
        return altered.errorCode() == Errors.NONE.code()
                ? answer.merge(altered, ids).build()
                : body.getErrorResponse(0, altered.errorCode(), altered.errorMessage());
    }

    private Errors error(RequestContext who, String topic) {
        if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.TOPIC, topic)) {
            return Errors.TOPIC_AUTHORIZATION_FAILED;
        }
        return metadata.cache().contains(topic) ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION;
    }
}
