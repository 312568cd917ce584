package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** JoinGroup (classic protocol): answered when the rebalance has gathered its members. */
@Component
@ServesApi(api_key = 11, api_brief = true)
public final class JoinGroupHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public JoinGroupHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        JoinGroupRequest body = request.body(JoinGroupRequest.class);
        if (!authorization.isAllowed(
                request.context(),
                AclOperation.READ,
                ResourceType.GROUP,
                body.data().groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
            return;
        }
        CompletableFuture<JoinGroupResponseData> joined = coordinator.joinGroup(
                request.context(), body.data(), request.local().bufferSupplier());
        Answer.response(
                request,
                Answer.orEarly(request, joined, () -> joinAgain(body)),
                answer -> new JoinGroupResponse(answer, request.apiVersion()));
    }

    /** Its client joins again over another connection, as the same member. */
    private static JoinGroupResponseData joinAgain(JoinGroupRequest request) {
        return new JoinGroupResponseData()
                .setErrorCode(Errors.REBALANCE_IN_PROGRESS.code())
                .setMemberId(request.data().memberId());
    }
}
