package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.WriteShareGroupStateRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.WriteShareGroupStateRequest;
import org.apache.kafka.common.requests.WriteShareGroupStateResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** WriteShareGroupState (KIP-932): keeps the state of share partitions; asked by brokers. */
@Component
@ServesApi(api_key = 85, api_brief = true)
public final class WriteShareGroupStateHandler implements RequestHandler {
    private final ShareCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public WriteShareGroupStateHandler(
            @Reference(target = "(role=broker)") ShareCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        WriteShareGroupStateRequestData data =
                request.body(WriteShareGroupStateRequest.class).data();
        if (authorization.isAllowed(
                request.context(), AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            Answer.message(request, coordinator.writeState(request.context(), data));
        } else {
            request.respond(
                    WriteShareGroupStateResponse.toGlobalErrorResponse(data, Errors.CLUSTER_AUTHORIZATION_FAILED));
        }
    }
}
