package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.handlers.groups.internal.ConsumerProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupDescribeRequest;
import org.apache.kafka.common.requests.ConsumerGroupDescribeResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ConsumerGroupDescribe (KIP-848); a group with topics that the client may not describe is not shown. */
@Component
@ServesApi(api_key = 69)
public final class ConsumerGroupDescribeHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;
    private final ConsumerProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public ConsumerGroupDescribeHandler(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
        this.protocol = new ConsumerProtocol(config, metadata);
    }

    @Override
    public void handle(Request request) {
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
            return;
        }
        ConsumerGroupDescribeRequestData data =
                request.body(ConsumerGroupDescribeRequest.class).data();
        RequestContext who = request.context();
        List<DescribedGroup> answered = new ArrayList<>();
        List<String> asked = new ArrayList<>();
        for (String group : data.groupIds()) {
            if (authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.GROUP, group)) {
                asked.add(group);
            } else {
                answered.add(
                        new DescribedGroup().setGroupId(group).setErrorCode(Errors.GROUP_AUTHORIZATION_FAILED.code()));
            }
        }
        Answer.response(request, coordinator.consumerGroupDescribe(who, asked), described -> {
            if (data.includeAuthorizedOperations()) {
                described.forEach(group -> addOperations(who, group));
            }
            answered.addAll(describable(who, described));
            return new ConsumerGroupDescribeResponse(new ConsumerGroupDescribeResponseData().setGroups(answered));
        });
    }

    private void addOperations(RequestContext who, DescribedGroup group) {
        if (group.errorCode() == Errors.NONE.code()) {
            group.setAuthorizedOperations(authorization.allowedOperations(who, ResourceType.GROUP, group.groupId()));
        }
    }

    private List<DescribedGroup> describable(RequestContext who, List<DescribedGroup> groups) {
        Set<String> topics =
                groups.stream().flatMap(ConsumerGroupDescribeHandler::topics).collect(Collectors.toSet());
        Set<String> allowed =
                authorization.allowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, topics, name -> name);
        return groups.stream()
                .map(group -> topics(group).allMatch(allowed::contains) ? group : hidden(group))
                .toList();
    }

    private static Stream<String> topics(DescribedGroup group) {
        return group.members().stream()
                .flatMap(member -> Stream.of(member.assignment(), member.targetAssignment()))
                .flatMap(assignment -> assignment.topicPartitions().stream())
                .map(TopicPartitions::topicName);
    }

    private static DescribedGroup hidden(DescribedGroup group) {
        return new DescribedGroup()
                .setGroupId(group.groupId())
                .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                .setErrorMessage("The group has described topic(s) that the client is not authorized to describe.")
                .setMembers(List.of());
    }
}
