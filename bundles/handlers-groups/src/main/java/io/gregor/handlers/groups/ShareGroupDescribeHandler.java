package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.GroupDescription;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ShareGroupDescribeRequestData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.ShareGroupDescribeRequest;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ShareGroupDescribe (KIP-932); a group with topics that the client may not describe is not shown. */
@Component
@ServesApi(api_key = 77)
public final class ShareGroupDescribeHandler implements RequestHandler {
    private final GroupDescription<DescribedGroup> groups;
    private final RebalanceProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public ShareGroupDescribeHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.groups = new GroupDescription<>(authorization, new ShareGroups(coordinator));
        this.protocol = RebalanceProtocol.ofShares(metadata);
    }

    @Override
    public void handle(Request request) {
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
            return;
        }
        ShareGroupDescribeRequestData data =
                request.body(ShareGroupDescribeRequest.class).data();
        groups.answer(
                request,
                data.groupIds(),
                data.includeAuthorizedOperations(),
                described -> new ShareGroupDescribeResponseData().setGroups(described));
    }

    private record ShareGroups(GroupCoordinator coordinator) implements GroupDescription.Kind<DescribedGroup> {
        @Override
        public CompletableFuture<List<DescribedGroup>> describe(RequestContext who, List<String> groups) {
            return coordinator.shareGroupDescribe(who, groups);
        }

        @Override
        public DescribedGroup failed(String groupId, Errors error) {
            return new DescribedGroup().setGroupId(groupId).setErrorCode(error.code());
        }

        @Override
        public DescribedGroup hidden(DescribedGroup group) {
            return failed(group.groupId(), Errors.TOPIC_AUTHORIZATION_FAILED)
                    .setErrorMessage("The group has described topic(s) that the client is not authorized to describe.")
                    .setMembers(List.of());
        }

        @Override
        public String groupId(DescribedGroup group) {
            return group.groupId();
        }

        @Override
        public short errorCode(DescribedGroup group) {
            return group.errorCode();
        }

        @Override
        public void setAuthorizedOperations(DescribedGroup group, int operations) {
            group.setAuthorizedOperations(operations);
        }

        @Override
        public Stream<String> topics(DescribedGroup group) {
            return group.members().stream()
                    .flatMap(member -> member.assignment().topicPartitions().stream())
                    .map(TopicPartitions::topicName);
        }
    }
}
