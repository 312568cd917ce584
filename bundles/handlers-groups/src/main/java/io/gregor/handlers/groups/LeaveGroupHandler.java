package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.LeaveGroupRequest;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** LeaveGroup (classic protocol): one member, or several from version 3 on. */
@Component
@ServesApi(api_key = 13, api_brief = true)
public final class LeaveGroupHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public LeaveGroupHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        LeaveGroupRequest body = request.body(LeaveGroupRequest.class);
        if (!authorization.isAllowed(
                request.context(),
                AclOperation.READ,
                ResourceType.GROUP,
                body.data().groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
            return;
        }
        Answer.response(
                request,
                coordinator.leaveGroup(request.context(), body.normalizedData()),
                left -> new LeaveGroupResponse(left, request.apiVersion()));
    }
}
