package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeGroups (classic groups), from version 3 on with what the client may do to them (KIP-430). */
@Component
@ServesApi(api_key = 15)
public final class DescribeGroupsHandler implements RequestHandler {
    private static final short OPERATIONS_MIN_VERSION = 3;

    private final GroupCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public DescribeGroupsHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        DescribeGroupsRequestData data =
                request.body(DescribeGroupsRequest.class).data();
        RequestContext who = request.context();
        List<DescribedGroup> answered = new ArrayList<>();
        List<String> asked = new ArrayList<>();
        for (String group : data.groups()) {
            if (authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.GROUP, group)) {
                asked.add(group);
            } else {
                answered.add(DescribeGroupsResponse.groupError(group, Errors.GROUP_AUTHORIZATION_FAILED));
            }
        }
        boolean withOperations = data.includeAuthorizedOperations() && request.apiVersion() >= OPERATIONS_MIN_VERSION;
        Answer.response(request, coordinator.describeGroups(who, asked), described -> {
            if (withOperations) {
                described.forEach(group -> addOperations(who, group));
            }
            answered.addAll(described);
            return new DescribeGroupsResponse(new DescribeGroupsResponseData().setGroups(answered));
        });
    }

    private void addOperations(RequestContext who, DescribedGroup group) {
        if (group.errorCode() == Errors.NONE.code()) {
            group.setAuthorizedOperations(authorization.allowedOperations(who, ResourceType.GROUP, group.groupId()));
        }
    }
}
