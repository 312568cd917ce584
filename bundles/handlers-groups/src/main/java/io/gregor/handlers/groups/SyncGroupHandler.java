package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** SyncGroup (classic protocol): answered when the leader has sent the assignment. */
@Component
@ServesApi(api_key = 14, api_brief = true)
public final class SyncGroupHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public SyncGroupHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        SyncGroupRequest body = request.body(SyncGroupRequest.class);
        if (!body.areMandatoryProtocolTypeAndNamePresent()) {
            request.respondError(Errors.INCONSISTENT_GROUP_PROTOCOL.exception());
            return;
        }
        if (!authorization.isAllowed(
                request.context(),
                AclOperation.READ,
                ResourceType.GROUP,
                body.data().groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
            return;
        }
        CompletableFuture<SyncGroupResponseData> synced = coordinator.syncGroup(
                request.context(), body.data(), request.local().bufferSupplier());
        Answer.message(request, Answer.orEarly(request, synced, SyncGroupHandler::joinAgain));
    }

    private static SyncGroupResponseData joinAgain() {
        return new SyncGroupResponseData().setErrorCode(Errors.REBALANCE_IN_PROGRESS.code());
    }
}
