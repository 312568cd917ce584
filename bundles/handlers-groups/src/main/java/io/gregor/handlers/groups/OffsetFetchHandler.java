package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.metadata.MetadataCache;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** OffsetFetch: of named or all topics, for one group or several (KIP-709), by name or by topic id (KIP-848). */
@Component
@ServesApi(api_key = 9, api_brief = true)
public final class OffsetFetchHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public OffsetFetchHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.metadata = metadata;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        OffsetFetchRequest body = request.body(OffsetFetchRequest.class);
        List<CompletableFuture<OffsetFetchResponseGroup>> groups = new ArrayList<>();
        for (OffsetFetchRequestGroup group : body.groups()) {
            groups.add(fetch(request.context(), group, body.requireStable()));
        }
        Answer.response(
                request,
                CompletableFuture.allOf(groups.toArray(CompletableFuture<?>[]::new)),
                done -> new OffsetFetchResponse.Builder(
                                groups.stream().map(CompletableFuture::join).toList())
                        .build(request.apiVersion()));
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetch(
            RequestContext who, OffsetFetchRequestGroup group, boolean requireStable) {
        if (!authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.GROUP, group.groupId())) {
            return CompletableFuture.completedFuture(
                    OffsetFetchResponse.groupError(group, Errors.GROUP_AUTHORIZATION_FAILED, who.apiVersion()));
        }
        CompletableFuture<OffsetFetchResponseGroup> fetched = OffsetFetchRequest.requestAllOffsets(group)
                ? fetchAll(who, group, requireStable)
                : fetchNamed(who, group, requireStable);
        return fetched.exceptionally(
                fault -> OffsetFetchResponse.groupError(group, Errors.forException(fault), who.apiVersion()));
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetchAll(
            RequestContext who, OffsetFetchRequestGroup group, boolean requireStable) {
        return coordinator
                .fetchOffsets(who, group, requireStable)
                .thenApply(found -> isRefused(found) ? found : found.setTopics(describable(who, found.topics())));
    }

    private List<OffsetFetchResponseTopics> describable(RequestContext who, List<OffsetFetchResponseTopics> topics) {
        Set<String> allowed = authorization.allowed(
                who, AclOperation.DESCRIBE, ResourceType.TOPIC, topics, OffsetFetchResponseTopics::name);
        boolean withIds = OffsetFetchRequest.useTopicIds(who.apiVersion());
        MetadataCache cache = metadata.cache();
        List<OffsetFetchResponseTopics> shown = new ArrayList<>();
        for (OffsetFetchResponseTopics topic : topics) {
            if (!allowed.contains(topic.name())) {
                continue;
            }
            if (withIds && topic.topicId().equals(Uuid.ZERO_UUID)) {
                topic.setTopicId(cache.getTopicId(topic.name()));
            }
            if (!withIds || !topic.topicId().equals(Uuid.ZERO_UUID)) {
                shown.add(topic);
            }
        }
        return shown;
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetchNamed(
            RequestContext who, OffsetFetchRequestGroup group, boolean requireStable) {
        boolean withIds = OffsetFetchRequest.useTopicIds(who.apiVersion());
        if (withIds) {
            nameTopics(group);
        }
        Set<String> allowed = authorization.allowed(
                who, AclOperation.DESCRIBE, ResourceType.TOPIC, group.topics(), OffsetFetchRequestTopics::name);
        List<OffsetFetchRequestTopics> asked = new ArrayList<>();
        List<OffsetFetchResponseTopics> refused = new ArrayList<>();
        for (OffsetFetchRequestTopics topic : group.topics()) {
            if (withIds && topic.name().isEmpty()) {
                refused.add(refusal(topic, Errors.UNKNOWN_TOPIC_ID));
            } else if (!allowed.contains(topic.name())) {
                refused.add(refusal(topic, Errors.TOPIC_AUTHORIZATION_FAILED));
            } else {
                asked.add(topic);
            }
        }
        OffsetFetchRequestGroup known = new OffsetFetchRequestGroup()
                .setGroupId(group.groupId())
                .setMemberId(group.memberId())
                .setMemberEpoch(group.memberEpoch())
                .setTopics(asked);
        return coordinator
                .fetchOffsets(who, known, requireStable)
                .thenApply(found -> isRefused(found) ? found : found.setTopics(joined(found.topics(), refused)));
    }

    private void nameTopics(OffsetFetchRequestGroup group) {
        MetadataCache cache = metadata.cache();
        for (OffsetFetchRequestTopics topic : group.topics()) {
            cache.getTopicName(topic.topicId()).ifPresent(topic::setName);
        }
    }

    private static boolean isRefused(OffsetFetchResponseGroup group) {
        return group.errorCode() != Errors.NONE.code();
    }

    private static List<OffsetFetchResponseTopics> joined(
            List<OffsetFetchResponseTopics> found, List<OffsetFetchResponseTopics> refused) {
        List<OffsetFetchResponseTopics> all = new ArrayList<>(found);
        all.addAll(refused);
        return all;
    }

    private static OffsetFetchResponseTopics refusal(OffsetFetchRequestTopics topic, Errors error) {
        OffsetFetchResponseTopics refused =
                new OffsetFetchResponseTopics().setTopicId(topic.topicId()).setName(topic.name());
        for (int partition : topic.partitionIndexes()) {
            refused.partitions()
                    .add(new OffsetFetchResponsePartitions()
                            .setPartitionIndex(partition)
                            .setCommittedOffset(OffsetFetchResponse.INVALID_OFFSET)
                            .setErrorCode(error.code()));
        }
        return refused;
    }
}
