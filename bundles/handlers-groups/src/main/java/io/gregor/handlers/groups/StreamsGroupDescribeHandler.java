package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.GroupDescription;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TopicInfo;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.StreamsGroupDescribeRequest;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** StreamsGroupDescribe (KIP-1071); a group with topics that the client may not describe is not shown. */
@Component
@ServesApi(api_key = 89)
public final class StreamsGroupDescribeHandler implements RequestHandler {
    private final GroupDescription<DescribedGroup> groups;
    private final GroupDescription<DescribedGroup> groupsWithTopology;
    private final RebalanceProtocol protocol;

    /** Serves from this coordinator. */
    @Activate
    public StreamsGroupDescribeHandler(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.groups = new GroupDescription<>(authorization, new StreamsGroups(coordinator, false));
        this.groupsWithTopology = new GroupDescription<>(authorization, new StreamsGroups(coordinator, true));
        this.protocol = RebalanceProtocol.ofStreams(config, metadata);
    }

    @Override
    public void handle(Request request) {
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
            return;
        }
        StreamsGroupDescribeRequestData data =
                request.body(StreamsGroupDescribeRequest.class).data();
        GroupDescription<DescribedGroup> wanted = data.includeTopologyDescription() ? groupsWithTopology : groups;
        wanted.answer(
                request,
                data.groupIds(),
                data.includeAuthorizedOperations(),
                described -> new StreamsGroupDescribeResponseData().setGroups(described));
    }

    private record StreamsGroups(GroupCoordinator coordinator, boolean withTopologyDescription)
            implements GroupDescription.Kind<DescribedGroup> {
        @Override
        public CompletableFuture<List<DescribedGroup>> describe(RequestContext who, List<String> groups) {
            return coordinator.streamsGroupDescribe(who, groups, withTopologyDescription);
        }

        @Override
        public DescribedGroup failed(String groupId, Errors error) {
            return new DescribedGroup().setGroupId(groupId).setErrorCode(error.code());
        }

        @Override
        public DescribedGroup hidden(DescribedGroup group) {
            return failed(group.groupId(), Errors.TOPIC_AUTHORIZATION_FAILED)
                    .setErrorMessage("The described group uses topics that the client is not authorized to describe.")
                    .setMembers(List.of())
                    .setTopology(null);
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
            return group.topology() == null
                    ? Stream.empty()
                    : group.topology().subtopologies().stream().flatMap(StreamsGroups::topics);
        }

        private static Stream<String> topics(Subtopology part) {
            return Stream.of(
                            part.sourceTopics().stream(),
                            part.repartitionSinkTopics().stream(),
                            part.repartitionSourceTopics().stream().map(TopicInfo::name),
                            part.stateChangelogTopics().stream().map(TopicInfo::name))
                    .flatMap(names -> names);
        }
    }
}
