package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.internal.broker.StreamsTopicCreation;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TopicInfo;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Topology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateResponseData;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.StreamsGroupDescribeResponse;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.coordinator.group.streams.StreamsGroupHeartbeatResult;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.junit.jupiter.api.Test;

class StreamsGroupHandlersTest {
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final NodeConfig config = FakeNodeConfig.of();
    private final List<String> asked = new ArrayList<>();
    private final List<String> created = new ArrayList<>();
    private MetadataImage image = streams(1);

    @Test
    void aHeartbeatCreatesWhatTheGroupMisses() {
        StreamsGroupHeartbeatResponseData answer = heartbeat("source");

        assertThat(answer.memberEpoch()).isEqualTo(5);
        assertThat(asked).containsExactly("heartbeat g");
        assertThat(created).containsExactly("g-changelog");
    }

    @Test
    void aTopologyOfInternalOrImpossibleTopicsIsRefused() {
        assertThat(heartbeat("source", "__consumer_offsets"))
                .extracting(
                        StreamsGroupHeartbeatResponseData::errorCode, StreamsGroupHeartbeatResponseData::errorMessage)
                .containsExactly(
                        Errors.STREAMS_INVALID_TOPOLOGY.code(),
                        "Use of Kafka internal topics __consumer_offsets in a Kafka Streams topology is prohibited.");
        assertThat(heartbeat("source", "no good"))
                .extracting(
                        StreamsGroupHeartbeatResponseData::errorCode, StreamsGroupHeartbeatResponseData::errorMessage)
                .containsExactly(
                        Errors.STREAMS_INVALID_TOPOLOGY.code(),
                        "Topic names no good,no good-sink,no good-repartition,no good-changelog are not valid topic"
                                + " names.");
        assertThat(asked).isEmpty();
    }

    @Test
    void everyTopicOfATopologyHasToBeDescribable() {
        for (String hidden : List.of("source", "source-sink", "source-repartition", "source-changelog")) {
            FakeAuthorization denying = new FakeAuthorization().deny("DESCRIBE TOPIC " + hidden);
            assertThat(heartbeat(denying, "source").errorCode())
                    .as(hidden)
                    .isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void aHeartbeatAndATopologyNeedTheGroup() {
        authorization.deny("READ GROUP g");

        assertThat(heartbeatRequest(authorization, "source").answer()).isInstanceOf(GroupAuthorizationException.class);
        assertThat(update().answer()).isInstanceOf(GroupAuthorizationException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void aTopologyIsPassedOn() {
        assertThat(update().answer()).isInstanceOf(StreamsGroupTopologyDescriptionUpdateResponseData.class);
        assertThat(asked).containsExactly("update g");
    }

    @Test
    void groupsWithTopicsThatMayNotBeSeenAreHidden() {
        authorization.deny("DESCRIBE TOPIC secret-changelog").deny("DESCRIBE GROUP no");

        List<DescribedGroup> groups = describe(false, "open", "secret", "no");

        assertThat(groups)
                .extracting(DescribedGroup::groupId, group -> Errors.forCode(group.errorCode()))
                .containsExactlyInAnyOrder(
                        tuple("no", Errors.GROUP_AUTHORIZATION_FAILED),
                        tuple("open", Errors.NONE),
                        tuple("secret", Errors.TOPIC_AUTHORIZATION_FAILED));
        assertThat(groups)
                .filteredOn(group -> group.groupId().equals("secret"))
                .singleElement()
                .satisfies(group -> {
                    assertThat(group.topology()).isNull();
                    assertThat(group.members()).isEmpty();
                });
        assertThat(groups)
                .filteredOn(group -> group.groupId().equals("open"))
                .singleElement()
                .satisfies(group -> {
                    assertThat(group.topology()).isNotNull();
                    assertThat(group.authorizedOperations()).isEqualTo(FakeAuthorization.OPERATIONS);
                });
        assertThat(asked).containsExactly("describe [open, secret] false");
    }

    @Test
    void theDescriptionOfATopologyIsAskedForIfItIsWanted() {
        describe(true, "open");

        assertThat(asked).containsExactly("describe [open] true");
    }

    @Test
    void withoutTheFeatureNothingIsServed() {
        image = streams(0);

        assertThat(heartbeatRequest(authorization, "source").answer()).isInstanceOf(UnsupportedVersionException.class);
        assertThat(update().answer()).isInstanceOf(UnsupportedVersionException.class);
        assertThat(describeRequest(false, "open").answer()).isInstanceOf(UnsupportedVersionException.class);
        assertThat(asked).isEmpty();
    }

    private StreamsGroupHeartbeatResponseData heartbeat(String... sources) {
        return heartbeat(authorization, sources);
    }

    private StreamsGroupHeartbeatResponseData heartbeat(FakeAuthorization rights, String... sources) {
        return heartbeatRequest(rights, sources)
                .answer(StreamsGroupHeartbeatResponse.class)
                .data();
    }

    private FakeRequest heartbeatRequest(FakeAuthorization rights, String... sources) {
        StreamsGroupHeartbeatRequestData data = new StreamsGroupHeartbeatRequestData()
                .setGroupId("g")
                .setMemberId("m")
                .setTopology(new Topology()
                        .setSubtopologies(Stream.of(sources)
                                .map(StreamsGroupHandlersTest::subtopology)
                                .toList()));
        FakeRequest request =
                FakeRequest.parsed(ApiKeys.STREAMS_GROUP_HEARTBEAT, latest(ApiKeys.STREAMS_GROUP_HEARTBEAT), data);
        GroupConfigManager configs = new GroupConfigManager(
                new GroupCoordinatorConfig(config.values()), new ShareGroupConfig(config.values()));
        StreamsTopicCreation creation =
                Fake.of(StreamsTopicCreation.class, (proxy, method, arguments) -> switch (method.getName()) {
                    case "create" -> {
                        ((Map<?, ?>) arguments[0]).keySet().forEach(name -> created.add((String) name));
                        yield null;
                    }
                    default -> Map.of();
                });
        new StreamsGroupHeartbeatHandler(config, coordinator(), configs, metadata(), creation, rights).handle(request);
        return request;
    }

    private static Subtopology subtopology(String source) {
        return new Subtopology()
                .setSubtopologyId("0")
                .setSourceTopics(List.of(source))
                .setRepartitionSinkTopics(List.of(source + "-sink"))
                .setRepartitionSourceTopics(List.of(new TopicInfo().setName(source + "-repartition")))
                .setStateChangelogTopics(List.of(new TopicInfo().setName(source + "-changelog")));
    }

    private FakeRequest update() {
        ApiKeys key = ApiKeys.forId(93);
        FakeRequest request = FakeRequest.parsed(
                key, latest(key), new StreamsGroupTopologyDescriptionUpdateRequestData().setGroupId("g"));
        new StreamsGroupTopologyDescriptionUpdateHandler(config, coordinator(), metadata(), authorization)
                .handle(request);
        return request;
    }

    private List<DescribedGroup> describe(boolean withDescription, String... groups) {
        return describeRequest(withDescription, groups)
                .answer(StreamsGroupDescribeResponse.class)
                .data()
                .groups();
    }

    private FakeRequest describeRequest(boolean withDescription, String... groups) {
        FakeRequest request = FakeRequest.parsed(
                ApiKeys.STREAMS_GROUP_DESCRIBE,
                latest(ApiKeys.STREAMS_GROUP_DESCRIBE),
                new StreamsGroupDescribeRequestData()
                        .setGroupIds(List.of(groups))
                        .setIncludeAuthorizedOperations(true)
                        .setIncludeTopologyDescription(withDescription));
        new StreamsGroupDescribeHandler(config, coordinator(), metadata(), authorization).handle(request);
        return request;
    }

    private static int latest(ApiKeys key) {
        return key.latestVersion();
    }

    private GroupCoordinator coordinator() {
        return Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "streamsGroupHeartbeat" -> {
                asked.add("heartbeat " + ((StreamsGroupHeartbeatRequestData) arguments[1]).groupId());
                yield CompletableFuture.completedFuture(new StreamsGroupHeartbeatResult(
                        new StreamsGroupHeartbeatResponseData().setMemberEpoch(5),
                        Map.of("g-changelog", new CreatableTopic().setName("g-changelog")),
                        0,
                        0,
                        0));
            }
            case "streamsGroupTopologyDescriptionUpdate" -> {
                asked.add("update " + ((StreamsGroupTopologyDescriptionUpdateRequestData) arguments[1]).groupId());
                yield CompletableFuture.completedFuture(new StreamsGroupTopologyDescriptionUpdateResponseData());
            }
            case "streamsGroupDescribe" -> {
                asked.add("describe " + arguments[1] + " " + arguments[2]);
                yield CompletableFuture.completedFuture(((List<?>) arguments[1])
                        .stream().map(id -> described((String) id)).toList());
            }
            default -> throw Fake.unexpected(method.getName());
        });
    }

    private static DescribedGroup described(String id) {
        StreamsGroupDescribeResponseData.Subtopology part = new StreamsGroupDescribeResponseData.Subtopology()
                .setSubtopologyId("0")
                .setSourceTopics(List.of(id))
                .setStateChangelogTopics(
                        List.of(new StreamsGroupDescribeResponseData.TopicInfo().setName(id + "-changelog")));
        return new DescribedGroup()
                .setGroupId(id)
                .setTopology(new StreamsGroupDescribeResponseData.Topology().setSubtopologies(List.of(part)));
    }

    private ServedMetadata metadata() {
        return Fake.of(ServedMetadata.class, (proxy, method, arguments) -> image);
    }

    private static MetadataImage streams(int level) {
        MetadataDelta delta =
                new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        delta.replay(new FeatureLevelRecord().setName("streams.version").setFeatureLevel((short) level));
        return delta.apply(MetadataProvenance.EMPTY);
    }
}
