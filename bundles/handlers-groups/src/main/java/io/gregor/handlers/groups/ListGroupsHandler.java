package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.requests.ListGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ListGroups: all groups of this coordinator for who may describe the cluster, else those that one may describe. */
@Component
@ServesApi(api_key = 16)
public final class ListGroupsHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public ListGroupsHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        RequestContext who = request.context();
        boolean mayDescribeAll = authorization.isAllowed(
                who, AclOperation.DESCRIBE, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false);
        Answer.response(
                request,
                coordinator.listGroups(
                        who, request.body(ListGroupsRequest.class).data()),
                listed -> new ListGroupsResponse(
                        mayDescribeAll ? listed : listed.setGroups(describable(who, listed.groups()))));
    }

    private List<ListedGroup> describable(RequestContext who, List<ListedGroup> groups) {
        return groups.stream()
                .filter(group -> authorization.isAllowed(
                        who, AclOperation.DESCRIBE, ResourceType.GROUP, group.groupId(), true, false))
                .toList();
    }
}
