package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.ShareGroupHeartbeatRequest;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ShareGroupHeartbeat (KIP-932): joins, keeps and leaves a share group. */
@Component
@ServesApi(api_key = 76, api_brief = true)
public final class ShareGroupHeartbeatHandler implements RequestHandler {
    /** That of a UUID as text. */
    private static final int MEMBER_ID_MAX_LENGTH = 36;

    private final GroupCoordinator coordinator;
    private final Authorization authorization;
    private final RebalanceProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public ShareGroupHeartbeatHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
        this.protocol = RebalanceProtocol.ofShares(metadata);
    }

    @Override
    public void handle(Request request) {
        ShareGroupHeartbeatRequestData data =
                request.body(ShareGroupHeartbeatRequest.class).data();
        RequestContext who = request.context();
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
        } else if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, data.groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
        } else if (!isValid(data.memberId())) {
            request.respondError(Errors.INVALID_REQUEST.exception("Invalid member id in the request."));
        } else if (!mayDescribe(who, data.subscribedTopicNames())) {
            request.respond(
                    new ShareGroupHeartbeatResponseData().setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code()));
        } else {
            Answer.message(request, coordinator.shareGroupHeartbeat(who, data));
        }
    }

    private static boolean isValid(String memberId) {
        return !memberId.isEmpty() && memberId.length() <= MEMBER_ID_MAX_LENGTH;
    }

    /** The names are null in a heartbeat that does not change them. */
    private boolean mayDescribe(RequestContext who, List<String> topics) {
        if (topics == null || topics.isEmpty()) {
            return true;
        }
        Set<String> subscribed = Set.copyOf(topics);
        return authorization
                .allowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, subscribed, name -> name)
                .containsAll(subscribed);
    }
}
