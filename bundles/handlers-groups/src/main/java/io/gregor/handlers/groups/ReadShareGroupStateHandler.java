package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ReadShareGroupStateRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ReadShareGroupStateRequest;
import org.apache.kafka.common.requests.ReadShareGroupStateResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ReadShareGroupState (KIP-932): the state of share partitions; asked by brokers. */
@Component
@ServesApi(api_key = 84, api_brief = true)
public final class ReadShareGroupStateHandler implements RequestHandler {
    private final ShareCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public ReadShareGroupStateHandler(
            @Reference(target = "(role=broker)") ShareCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        ReadShareGroupStateRequestData data =
                request.body(ReadShareGroupStateRequest.class).data();
        if (authorization.isAllowed(
                request.context(), AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            Answer.message(request, coordinator.readState(request.context(), data));
        } else {
            request.respond(
                    ReadShareGroupStateResponse.toGlobalErrorResponse(data, Errors.CLUSTER_AUTHORIZATION_FAILED));
        }
    }
}
