package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData.DeleteShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData.DeleteShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DeleteShareGroupOffsets (KIP-932): an empty share group forgets topics. */
@Component
@ServesApi(api_key = 92)
public final class DeleteShareGroupOffsetsHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;
    private final RebalanceProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public DeleteShareGroupOffsetsHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
        this.protocol = RebalanceProtocol.ofShares(metadata);
    }

    @Override
    public void handle(Request request) {
        DeleteShareGroupOffsetsRequest body = request.body(DeleteShareGroupOffsetsRequest.class);
        RequestContext who = request.context();
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
        } else if (!authorization.isAllowed(
                who, AclOperation.DELETE, ResourceType.GROUP, body.data().groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
        } else {
            delete(request, body);
        }
    }

    private void delete(Request request, DeleteShareGroupOffsetsRequest body) {
        RequestContext who = request.context();
        List<DeleteShareGroupOffsetsResponseTopic> answered = new ArrayList<>();
        List<DeleteShareGroupOffsetsRequestTopic> asked = new ArrayList<>();
        for (DeleteShareGroupOffsetsRequestTopic topic : body.data().topics()) {
            if (authorization.isAllowed(who, AclOperation.READ, ResourceType.TOPIC, topic.topicName())) {
                asked.add(topic);
            } else {
                answered.add(new DeleteShareGroupOffsetsResponseTopic()
                        .setTopicName(topic.topicName())
                        .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                        .setErrorMessage(Errors.TOPIC_AUTHORIZATION_FAILED.message()));
            }
        }
        Answer.response(
                request,
                coordinator.deleteShareGroupOffsets(
                        who,
                        new DeleteShareGroupOffsetsRequestData()
                                .setGroupId(body.data().groupId())
                                .setTopics(asked)),
                deleted -> response(body, answered, deleted));
    }

    private static AbstractResponse response(
            DeleteShareGroupOffsetsRequest body,
            List<DeleteShareGroupOffsetsResponseTopic> answered,
            DeleteShareGroupOffsetsResponseData deleted) {
        if (deleted.errorCode() != Errors.NONE.code()) {
            return body.getErrorResponse(0, deleted.errorCode(), deleted.errorMessage());
        }
        answered.addAll(deleted.responses());
        return new DeleteShareGroupOffsetsResponse(new DeleteShareGroupOffsetsResponseData().setResponses(answered));
    }
}
