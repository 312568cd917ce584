package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DeleteShareGroupStateRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteShareGroupStateRequest;
import org.apache.kafka.common.requests.DeleteShareGroupStateResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DeleteShareGroupState (KIP-932): forgets the state of share partitions; asked by brokers. */
@Component
@ServesApi(api_key = 86, api_brief = true)
public final class DeleteShareGroupStateHandler implements RequestHandler {
    private final ShareCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public DeleteShareGroupStateHandler(
            @Reference(target = "(role=broker)") ShareCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        DeleteShareGroupStateRequestData data =
                request.body(DeleteShareGroupStateRequest.class).data();
        if (authorization.isAllowed(
                request.context(), AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            Answer.message(request, coordinator.deleteState(request.context(), data));
        } else {
            request.respond(
                    DeleteShareGroupStateResponse.toGlobalErrorResponse(data, Errors.CLUSTER_AUTHORIZATION_FAILED));
        }
    }
}
