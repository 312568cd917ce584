package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.StreamsGroupTopologyDescriptionUpdateRequest;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * StreamsGroupTopologyDescriptionUpdate (KIP-1331): a client tells its topology to the plugin of
 * {@code group.streams.topology.description.plugin.class}, which the coordinator asks for.
 */
@Component
@ServesApi(api_key = 93)
public final class StreamsGroupTopologyDescriptionUpdateHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;
    private final RebalanceProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public StreamsGroupTopologyDescriptionUpdateHandler(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
        this.protocol = RebalanceProtocol.ofStreams(config, metadata);
    }

    @Override
    public void handle(Request request) {
        StreamsGroupTopologyDescriptionUpdateRequestData data =
                request.body(StreamsGroupTopologyDescriptionUpdateRequest.class).data();
        RequestContext who = request.context();
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
        } else if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, data.groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
        } else {
            Answer.message(request, coordinator.streamsGroupTopologyDescriptionUpdate(who, data));
        }
    }
}
