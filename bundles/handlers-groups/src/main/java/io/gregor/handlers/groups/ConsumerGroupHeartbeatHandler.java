package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ConsumerGroupHeartbeat (KIP-848): joins, keeps and leaves a group of the consumer protocol. */
@Component
@ServesApi(api_key = 68, api_brief = true)
public final class ConsumerGroupHeartbeatHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;
    private final RebalanceProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public ConsumerGroupHeartbeatHandler(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
        this.protocol = RebalanceProtocol.ofConsumers(config, metadata);
    }

    @Override
    public void handle(Request request) {
        ConsumerGroupHeartbeatRequestData data =
                request.body(ConsumerGroupHeartbeatRequest.class).data();
        RequestContext who = request.context();
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
        } else if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, data.groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
        } else if (!mayDescribe(who, data.subscribedTopicNames())) {
            request.respond(
                    new ConsumerGroupHeartbeatResponseData().setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code()));
        } else {
            Answer.message(request, coordinator.consumerGroupHeartbeat(who, data));
        }
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
