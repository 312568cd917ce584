package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponsePartition;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeShareGroupOffsets (KIP-932): where share groups start, of named topics or of all that they know. */
@Component
@ServesApi(api_key = 90)
public final class DescribeShareGroupOffsetsHandler implements RequestHandler {
    private static final long UNKNOWN = -1;

    private final GroupCoordinator coordinator;
    private final Authorization authorization;
    private final RebalanceProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public DescribeShareGroupOffsetsHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
        this.protocol = RebalanceProtocol.ofShares(metadata);
    }

    @Override
    public void handle(Request request) {
        List<CompletableFuture<DescribeShareGroupOffsetsResponseGroup>> groups =
                request.body(DescribeShareGroupOffsetsRequest.class).groups().stream()
                        .map(group -> group(request.context(), group))
                        .toList();
        Answer.message(
                request,
                CompletableFuture.allOf(groups.toArray(CompletableFuture[]::new))
                        .thenApply(done -> new DescribeShareGroupOffsetsResponseData()
                                .setGroups(groups.stream()
                                        .map(CompletableFuture::join)
                                        .toList())));
    }

    private CompletableFuture<DescribeShareGroupOffsetsResponseGroup> group(
            RequestContext who, DescribeShareGroupOffsetsRequestGroup group) {
        if (!protocol.isOn()) {
            return CompletableFuture.completedFuture(answer(group).setErrorCode(Errors.UNSUPPORTED_VERSION.code()));
        }
        if (!authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.GROUP, group.groupId())) {
            return CompletableFuture.completedFuture(
                    answer(group).setErrorCode(Errors.GROUP_AUTHORIZATION_FAILED.code()));
        }
        if (group.topics() == null) {
            return all(who, group);
        }
        return group.topics().isEmpty() ? CompletableFuture.completedFuture(answer(group)) : named(who, group);
    }

    private CompletableFuture<DescribeShareGroupOffsetsResponseGroup> all(
            RequestContext who, DescribeShareGroupOffsetsRequestGroup group) {
        return coordinator
                .describeShareGroupAllOffsets(who, group)
                .thenApply(described -> described.setTopics(describable(who, described.topics())))
                .exceptionally(fault -> failed(group, fault));
    }

    private CompletableFuture<DescribeShareGroupOffsetsResponseGroup> named(
            RequestContext who, DescribeShareGroupOffsetsRequestGroup group) {
        Set<String> allowed = authorization.allowed(
                who,
                AclOperation.DESCRIBE,
                ResourceType.TOPIC,
                group.topics(),
                DescribeShareGroupOffsetsRequestTopic::topicName);
        List<DescribeShareGroupOffsetsRequestTopic> asked = new ArrayList<>(group.topics());
        List<DescribeShareGroupOffsetsRequestTopic> forbidden = new ArrayList<>();
        asked.removeIf(topic -> !allowed.contains(topic.topicName()) && forbidden.add(topic));
        return coordinator
                .describeShareGroupOffsets(
                        who,
                        new DescribeShareGroupOffsetsRequestGroup()
                                .setGroupId(group.groupId())
                                .setTopics(asked))
                .thenApply(described -> withForbidden(described, forbidden))
                .exceptionally(fault -> failed(group, fault));
    }

    private List<DescribeShareGroupOffsetsResponseTopic> describable(
            RequestContext who, List<DescribeShareGroupOffsetsResponseTopic> topics) {
        Set<String> allowed = authorization.allowed(
                who,
                AclOperation.DESCRIBE,
                ResourceType.TOPIC,
                topics,
                DescribeShareGroupOffsetsResponseTopic::topicName);
        return topics.stream()
                .filter(topic -> allowed.contains(topic.topicName()))
                .toList();
    }

    private static DescribeShareGroupOffsetsResponseGroup withForbidden(
            DescribeShareGroupOffsetsResponseGroup described, List<DescribeShareGroupOffsetsRequestTopic> topics) {
        if (described.errorCode() != Errors.NONE.code()) {
            return described;
        }
        List<DescribeShareGroupOffsetsResponseTopic> all = new ArrayList<>(described.topics());
        topics.forEach(topic -> all.add(forbidden(topic)));
        return described.setTopics(all);
    }

    private static DescribeShareGroupOffsetsResponseTopic forbidden(DescribeShareGroupOffsetsRequestTopic topic) {
        return new DescribeShareGroupOffsetsResponseTopic()
                .setTopicName(topic.topicName())
                .setTopicId(Uuid.ZERO_UUID)
                .setPartitions(topic.partitions().stream()
                        .map(index -> new DescribeShareGroupOffsetsResponsePartition()
                                .setPartitionIndex(index)
                                .setStartOffset(UNKNOWN)
                                .setLag(UNKNOWN)
                                .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                                .setErrorMessage(Errors.TOPIC_AUTHORIZATION_FAILED.message()))
                        .toList());
    }

    private static DescribeShareGroupOffsetsResponseGroup failed(
            DescribeShareGroupOffsetsRequestGroup group, Throwable fault) {
        Errors error = Errors.forException(Errors.maybeUnwrapException(fault));
        return answer(group).setErrorCode(error.code()).setErrorMessage(error.message());
    }

    private static DescribeShareGroupOffsetsResponseGroup answer(DescribeShareGroupOffsetsRequestGroup group) {
        return new DescribeShareGroupOffsetsResponseGroup().setGroupId(group.groupId());
    }
}
