package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.api.RequestHandler;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResultCollection;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponsePartition;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponseTopic;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DeleteGroupsResponse;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsResponse;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.LeaveGroupRequest;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.apache.kafka.common.requests.ListGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsResponse;
import org.apache.kafka.common.requests.OffsetDeleteRequest;
import org.apache.kafka.common.requests.OffsetDeleteResponse;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.junit.jupiter.api.Test;

class ClassicGroupHandlersTest {
    private final HandlerFixture fixture = new HandlerFixture().topic("t", Uuid.randomUuid());
    private final FakeAuthorization authorization = fixture.authorization();
    private final List<String> asked = new ArrayList<>();
    private final CompletableFuture<JoinGroupResponseData> joined = new CompletableFuture<>();
    private final CompletableFuture<SyncGroupResponseData> synced = new CompletableFuture<>();
    private final CompletableFuture<DeletableGroupResultCollection> deleted = new CompletableFuture<>();
    private final GroupCoordinator coordinator =
            Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> answer(method.getName(), arguments));

    private CompletableFuture<?> answer(String method, Object[] arguments) {
        asked.add(method);
        return switch (method) {
            case "joinGroup" -> joined;
            case "syncGroup" -> synced;
            case "deleteGroups" -> deleted;
            case "heartbeat" -> CompletableFuture.completedFuture(new HeartbeatResponseData().setThrottleTimeMs(3));
            case "leaveGroup" -> CompletableFuture.completedFuture(new LeaveGroupResponseData());
            case "describeGroups" -> CompletableFuture.completedFuture(described((List<?>) arguments[1]));
            case "listGroups" ->
                CompletableFuture.completedFuture(new ListGroupsResponseData()
                        .setGroups(List.of(new ListedGroup().setGroupId("g"), new ListedGroup().setGroupId("hidden"))));
            case "deleteOffsets" -> CompletableFuture.completedFuture(removed((OffsetDeleteRequestData) arguments[1]));
            default -> throw Fake.unexpected(method);
        };
    }

    private static List<DescribedGroup> described(List<?> groups) {
        return groups.stream()
                .map(group -> new DescribedGroup().setGroupId((String) group))
                .toList();
    }

    private static OffsetDeleteResponseData removed(OffsetDeleteRequestData deletion) {
        OffsetDeleteResponseData answer = new OffsetDeleteResponseData();
        for (OffsetDeleteRequestTopic topic : deletion.topics()) {
            OffsetDeleteResponseTopic one = new OffsetDeleteResponseTopic().setName(topic.name());
            topic.partitions().forEach(partition -> one.partitions()
                    .add(new OffsetDeleteResponsePartition().setPartitionIndex(partition.partitionIndex())));
            answer.topics().add(one);
        }
        return answer;
    }

    @Test
    void joinWaitsForTheRebalance() {
        handle(new JoinGroupHandler(coordinator, authorization), join());
        assertThat(fixture.asked().answers()).isEmpty();

        joined.complete(new JoinGroupResponseData().setGenerationId(4).setProtocolName("range"));

        assertThat(fixture.asked().answer(JoinGroupResponse.class).data().generationId())
                .isEqualTo(4);
    }

    @Test
    void whoIsHurriedJoinsAgainAsTheSameMember() {
        handle(new JoinGroupHandler(coordinator, authorization), join());
        fixture.asked().hurry();
        joined.complete(new JoinGroupResponseData().setGenerationId(4).setProtocolName("range"));

        JoinGroupResponseData answer =
                fixture.asked().answer(JoinGroupResponse.class).data();
        assertThat(answer.errorCode()).isEqualTo(Errors.REBALANCE_IN_PROGRESS.code());
        assertThat(answer.memberId()).isEqualTo("m");
        assertThat(fixture.asked().answers()).hasSize(1);
    }

    @Test
    void whoIsHurriedWhileItWaitsForItsAssignmentJoinsAgain() {
        handle(new SyncGroupHandler(coordinator, authorization), sync("consumer"));
        assertThat(fixture.asked().answers()).isEmpty();

        fixture.asked().hurry();

        assertThat(fixture.asked().answer(SyncGroupResponseData.class).errorCode())
                .isEqualTo(Errors.REBALANCE_IN_PROGRESS.code());
    }

    @Test
    void syncWithoutItsProtocolIsRefused() {
        handle(new SyncGroupHandler(coordinator, authorization), sync(null));

        assertThat(fixture.asked().answer()).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL.exception());
        assertThat(asked).isEmpty();
    }

    @Test
    void answersOfTheCoordinatorArePassedOn() {
        handle(new HeartbeatHandler(coordinator, authorization), heartbeat());
        assertThat(fixture.asked().answer(HeartbeatResponseData.class).throttleTimeMs())
                .isEqualTo(3);

        handle(new LeaveGroupHandler(coordinator, authorization), leave());
        assertThat(fixture.asked().answer(LeaveGroupResponse.class).error()).isEqualTo(Errors.NONE);
    }

    @Test
    void whoMayNotReadAGroupIsNoMemberOfIt() {
        fixture.deny("READ GROUP g");

        for (AbstractRequest body : List.of(join(), sync("consumer"), heartbeat(), leave())) {
            handle(handlerOf(body), body);
            assertThat(fixture.asked().answer()).isInstanceOf(GroupAuthorizationException.class);
        }
        assertThat(asked).isEmpty();
    }

    private RequestHandler handlerOf(AbstractRequest body) {
        return switch (body.apiKey()) {
            case JOIN_GROUP -> new JoinGroupHandler(coordinator, authorization);
            case SYNC_GROUP -> new SyncGroupHandler(coordinator, authorization);
            case HEARTBEAT -> new HeartbeatHandler(coordinator, authorization);
            case LEAVE_GROUP -> new LeaveGroupHandler(coordinator, authorization);
            default -> throw Fake.unexpected(body.apiKey().name());
        };
    }

    @Test
    void describesWhatTheClientMayDescribe() {
        fixture.deny("DESCRIBE GROUP hidden");

        assertThat(describe(3, true))
                .extracting(DescribedGroup::groupId, DescribedGroup::errorCode)
                .containsExactly(
                        tuple("hidden", Errors.GROUP_AUTHORIZATION_FAILED.code()), tuple("g", Errors.NONE.code()));
    }

    @Test
    void tellsWhatTheClientMayDoFromVersion3OnIfItAsks() {
        assertThat(describe(3, true).get(1).authorizedOperations()).isEqualTo(FakeAuthorization.OPERATIONS);
        assertThat(describe(3, false).get(1).authorizedOperations()).isEqualTo(Integer.MIN_VALUE);
        assertThat(describe(2, true).get(1).authorizedOperations()).isEqualTo(Integer.MIN_VALUE);
    }

    private List<DescribedGroup> describe(int version, boolean withOperations) {
        DescribeGroupsRequestData data = new DescribeGroupsRequestData()
                .setGroups(List.of("hidden", "g"))
                .setIncludeAuthorizedOperations(withOperations);
        handle(
                new DescribeGroupsHandler(coordinator, authorization),
                new DescribeGroupsRequest.Builder(data).build((short) version));
        return fixture.asked().answer(DescribeGroupsResponse.class).data().groups();
    }

    @Test
    void listsAllGroupsForWhoMayDescribeTheCluster() {
        fixture.deny("DESCRIBE GROUP hidden");
        assertThat(list()).containsExactly("g", "hidden");

        fixture.deny("DESCRIBE CLUSTER kafka-cluster");
        assertThat(list()).containsExactly("g");
    }

    private List<String> list() {
        handle(
                new ListGroupsHandler(coordinator, authorization),
                new ListGroupsRequest.Builder(new ListGroupsRequestData()).build());
        return fixture.asked().answer(ListGroupsResponse.class).data().groups().stream()
                .map(ListedGroup::groupId)
                .toList();
    }

    @Test
    void eachGroupHasItsOwnResultOfADeletion() {
        fixture.deny("DELETE GROUP hidden");
        DeletableGroupResultCollection results = new DeletableGroupResultCollection();
        results.add(result("g", Errors.NON_EMPTY_GROUP));
        deleted.complete(results);

        assertThat(delete(2, "g", "hidden", "g"))
                .containsExactly(
                        result("g", Errors.NON_EMPTY_GROUP), result("hidden", Errors.GROUP_AUTHORIZATION_FAILED));
    }

    @Test
    void aDeletionThatFailsWholeFailsForEachGroup() {
        deleted.completeExceptionally(Errors.COORDINATOR_NOT_AVAILABLE.exception());

        assertThat(delete(2, "g", "h"))
                .containsExactly(
                        result("g", Errors.COORDINATOR_NOT_AVAILABLE), result("h", Errors.COORDINATOR_NOT_AVAILABLE));
    }

    @Test
    void olderClientsAreToldOfAFailedDeletionWhatTheyKnow() {
        DeletableGroupResultCollection results = new DeletableGroupResultCollection();
        results.add(result("g", Errors.GROUP_DELETION_FAILED));
        deleted.complete(results);

        assertThat(delete(2, "g")).containsExactly(result("g", Errors.UNKNOWN_SERVER_ERROR));
    }

    private List<DeletableGroupResult> delete(int version, String... groups) {
        DeleteGroupsRequestData data = new DeleteGroupsRequestData().setGroupsNames(List.of(groups));
        handle(new DeleteGroupsHandler(coordinator, authorization), new DeleteGroupsRequest.Builder(data).build((short)
                        version));
        return List.copyOf(
                fixture.asked().answer(DeleteGroupsResponse.class).data().results());
    }

    private static DeletableGroupResult result(String group, Errors error) {
        return new DeletableGroupResult().setGroupId(group).setErrorCode(error.code());
    }

    @Test
    void deletesOffsetsOfPartitionsThatThereAreAndTheClientMayRead() {
        fixture.topic("hidden", Uuid.randomUuid()).deny("READ TOPIC hidden");

        List<OffsetDeleteResponseTopic> topics = deleteOffsets("t", "none", "hidden");

        assertThat(topics)
                .flatExtracting(topic -> topic.partitions().stream()
                        .map(one -> topic.name() + "-" + one.partitionIndex() + " " + Errors.forCode(one.errorCode()))
                        .toList())
                .containsExactlyInAnyOrder(
                        "t-0 NONE",
                        "t-7 UNKNOWN_TOPIC_OR_PARTITION",
                        "none-0 UNKNOWN_TOPIC_OR_PARTITION",
                        "none-7 UNKNOWN_TOPIC_OR_PARTITION",
                        "hidden-0 TOPIC_AUTHORIZATION_FAILED",
                        "hidden-7 TOPIC_AUTHORIZATION_FAILED");
    }

    @Test
    void theGroupsOwnErrorComesFirstEvenIfNoPartitionIsLeft() {
        deleteOffsets("none");

        assertThat(asked).containsExactly("deleteOffsets");
    }

    /** Of the partitions 0 and 7 of each topic. */
    private List<OffsetDeleteResponseTopic> deleteOffsets(String... names) {
        OffsetDeleteRequestTopicCollection topics = new OffsetDeleteRequestTopicCollection();
        for (String name : names) {
            topics.add(new OffsetDeleteRequestTopic()
                    .setName(name)
                    .setPartitions(List.of(
                            new OffsetDeleteRequestPartition().setPartitionIndex(0),
                            new OffsetDeleteRequestPartition().setPartitionIndex(7))));
        }
        OffsetDeleteRequestData data =
                new OffsetDeleteRequestData().setGroupId("g").setTopics(topics);
        handle(
                new OffsetDeleteHandler(coordinator, fixture.metadata(), authorization),
                new OffsetDeleteRequest.Builder(data).build());
        return List.copyOf(
                fixture.asked().answer(OffsetDeleteResponse.class).data().topics());
    }

    private void handle(RequestHandler handler, AbstractRequest body) {
        handler.handle(fixture.request(body));
    }

    private static JoinGroupRequest join() {
        return new JoinGroupRequest.Builder(
                        new JoinGroupRequestData().setGroupId("g").setMemberId("m"))
                .build();
    }

    private static SyncGroupRequest sync(String protocolType) {
        return new SyncGroupRequest.Builder(new SyncGroupRequestData()
                        .setGroupId("g")
                        .setMemberId("m")
                        .setProtocolType(protocolType)
                        .setProtocolName("range"))
                .build();
    }

    private static HeartbeatRequest heartbeat() {
        return new HeartbeatRequest.Builder(
                        new HeartbeatRequestData().setGroupId("g").setMemberId("m"))
                .build();
    }

    private static LeaveGroupRequest leave() {
        return new LeaveGroupRequest.Builder("g", List.of(new LeaveGroupRequestData.MemberIdentity().setMemberId("m")))
                .build();
    }
}
