package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestPartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData.AlterShareGroupOffsetsResponsePartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData.AlterShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData.DeleteShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData.DeleteShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponsePartition;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsResponse;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsResponse;
import org.apache.kafka.common.requests.DescribeShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.DescribeShareGroupOffsetsResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The offsets of share groups are described, altered and deleted. */
class ShareGroupOffsetsHandlersTest {
    private static final long START = 7;

    private final HandlerFixture fixture = new HandlerFixture()
            .level("share.version", 1)
            .topic("known", Uuid.randomUuid())
            .topic("secret", Uuid.randomUuid());
    private final List<String> passedOn = new ArrayList<>();
    private Errors refusal = Errors.NONE;
    private final GroupCoordinator coordinator =
            Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> switch (method.getName()) {
                case "describeShareGroupOffsets", "describeShareGroupAllOffsets" ->
                    described((DescribeShareGroupOffsetsRequestGroup) arguments[1]);
                case "alterShareGroupOffsets" ->
                    CompletableFuture.completedFuture(altered((AlterShareGroupOffsetsRequestData) arguments[2]));
                case "deleteShareGroupOffsets" ->
                    CompletableFuture.completedFuture(deleted((DeleteShareGroupOffsetsRequestData) arguments[1]));
                default -> throw Fake.unexpected(method.getName());
            });

    /** All that are asked for, or all there are. */
    private CompletableFuture<DescribeShareGroupOffsetsResponseGroup> described(
            DescribeShareGroupOffsetsRequestGroup asked) {
        if (refusal != Errors.NONE) {
            return CompletableFuture.failedFuture(refusal.exception());
        }
        List<String> topics = asked.topics() == null
                ? List.of("known", "secret")
                : asked.topics().stream()
                        .map(DescribeShareGroupOffsetsRequestTopic::topicName)
                        .toList();
        passedOn.addAll(topics);
        return CompletableFuture.completedFuture(new DescribeShareGroupOffsetsResponseGroup()
                .setGroupId(asked.groupId())
                .setTopics(topics.stream()
                        .map(name -> new DescribeShareGroupOffsetsResponseTopic()
                                .setTopicName(name)
                                .setPartitions(List.of(
                                        new DescribeShareGroupOffsetsResponsePartition().setStartOffset(START))))
                        .toList()));
    }

    private AlterShareGroupOffsetsResponseData altered(AlterShareGroupOffsetsRequestData asked) {
        AlterShareGroupOffsetsResponseData answer =
                new AlterShareGroupOffsetsResponseData().setErrorCode(refusal.code());
        for (AlterShareGroupOffsetsRequestTopic topic : asked.topics()) {
            passedOn.add(topic.topicName());
            answer.responses()
                    .add(new AlterShareGroupOffsetsResponseTopic()
                            .setTopicName(topic.topicName())
                            .setPartitions(List.of(new AlterShareGroupOffsetsResponsePartition())));
        }
        return answer;
    }

    private DeleteShareGroupOffsetsResponseData deleted(DeleteShareGroupOffsetsRequestData asked) {
        asked.topics().forEach(topic -> passedOn.add(topic.topicName()));
        return new DeleteShareGroupOffsetsResponseData()
                .setErrorCode(refusal.code())
                .setResponses(asked.topics().stream()
                        .map(topic -> new DeleteShareGroupOffsetsResponseTopic().setTopicName(topic.topicName()))
                        .toList());
    }

    @Test
    void describesNamedTopicsThatTheClientMayDescribe() {
        fixture.deny("DESCRIBE secret");

        assertThat(describe(List.of("known", "secret")))
                .isEqualTo(Map.of("known", "7 NONE", "secret", "-1 TOPIC_AUTHORIZATION_FAILED"));
        assertThat(passedOn).containsExactly("known");
    }

    @Test
    void describesAllTopicsButThoseThatTheClientMayNotDescribe() {
        fixture.deny("DESCRIBE secret");

        assertThat(describe(null)).isEqualTo(Map.of("known", "7 NONE"));
    }

    @Test
    void describesNothingOfAGroupThatTheClientMayNotDescribe() {
        fixture.deny("DESCRIBE g");

        assertThat(describe(null)).isEqualTo(Map.of("g", "GROUP_AUTHORIZATION_FAILED"));
        assertThat(passedOn).isEmpty();
    }

    @Test
    void answersForTheGroupWhenTheCoordinatorFails() {
        refusal = Errors.COORDINATOR_LOAD_IN_PROGRESS;

        assertThat(describe(null)).isEqualTo(Map.of("g", "COORDINATOR_LOAD_IN_PROGRESS"));
        assertThat(describe(List.of("known"))).isEqualTo(Map.of("g", "COORDINATOR_LOAD_IN_PROGRESS"));
    }

    @Test
    void altersTopicsThatAreThereAndThatTheClientMayRead() {
        fixture.deny("READ secret");

        assertThat(alter("known", "secret", "gone"))
                .isEqualTo(Map.of(
                        "known", "NONE", "secret", "TOPIC_AUTHORIZATION_FAILED", "gone", "UNKNOWN_TOPIC_OR_PARTITION"));
        assertThat(passedOn).containsExactly("known");
    }

    @Test
    void altersNothingOfAGroupWithMembers() {
        refusal = Errors.NON_EMPTY_GROUP;

        assertThat(alter("known")).isEqualTo(Map.of("g", "NON_EMPTY_GROUP"));
    }

    @Test
    void altersNothingOfAGroupThatTheClientMayNotRead() {
        fixture.deny("READ g");

        assertThat(alter("known")).isEqualTo(Map.of("g", "GROUP_AUTHORIZATION_FAILED"));
        assertThat(passedOn).isEmpty();
    }

    @Test
    void deletesTopicsThatTheClientMayRead() {
        fixture.deny("READ secret");

        assertThat(delete("known", "secret"))
                .isEqualTo(Map.of("known", "NONE", "secret", "TOPIC_AUTHORIZATION_FAILED"));
        assertThat(passedOn).containsExactly("known");
    }

    @Test
    void deletesNothingOfAGroupWithMembers() {
        refusal = Errors.NON_EMPTY_GROUP;

        assertThat(delete("known")).isEqualTo(Map.of("g", "NON_EMPTY_GROUP"));
    }

    @Test
    void deletesNothingOfAGroupThatTheClientMayNotDelete() {
        fixture.deny("DELETE g");

        assertThat(delete("known")).isEqualTo(Map.of("g", "GROUP_AUTHORIZATION_FAILED"));
        assertThat(passedOn).isEmpty();
    }

    @Test
    void areNotServedInAClusterWithoutShareGroups() {
        fixture.level("share.version", 0);

        assertThat(describe(null)).isEqualTo(Map.of("g", "UNSUPPORTED_VERSION"));
        assertThat(alter("known")).isEqualTo(Map.of("g", "UNSUPPORTED_VERSION"));
        assertThat(delete("known")).isEqualTo(Map.of("g", "UNSUPPORTED_VERSION"));
    }

    /** By topic the start and the error, or by group its error. */
    private Map<String, String> describe(@Nullable List<String> topics) {
        DescribeShareGroupOffsetsRequestGroup group =
                new DescribeShareGroupOffsetsRequestGroup().setGroupId("g").setTopics(null);
        if (topics != null) {
            group.setTopics(topics.stream()
                    .map(name -> new DescribeShareGroupOffsetsRequestTopic()
                            .setTopicName(name)
                            .setPartitions(List.of(0)))
                    .toList());
        }
        new DescribeShareGroupOffsetsHandler(coordinator, fixture.metadata(), fixture.authorization())
                .handle(fixture.request(new DescribeShareGroupOffsetsRequest.Builder(
                                new DescribeShareGroupOffsetsRequestData().setGroups(List.of(group)))
                        .build((short) 1)));
        Map<String, String> outcomes = new TreeMap<>();
        for (DescribeShareGroupOffsetsResponseGroup one : fixture.asked()
                .answer(DescribeShareGroupOffsetsResponse.class)
                .data()
                .groups()) {
            if (one.errorCode() != Errors.NONE.code()) {
                outcomes.put(one.groupId(), name(one.errorCode()));
            }
            one.topics()
                    .forEach(topic -> outcomes.put(
                            topic.topicName(),
                            topic.partitions().get(0).startOffset() + " "
                                    + name(topic.partitions().get(0).errorCode())));
        }
        return outcomes;
    }

    private Map<String, String> alter(String... topics) {
        AlterShareGroupOffsetsRequestData data = new AlterShareGroupOffsetsRequestData().setGroupId("g");
        for (String topic : topics) {
            data.topics()
                    .add(new AlterShareGroupOffsetsRequestTopic()
                            .setTopicName(topic)
                            .setPartitions(List.of(new AlterShareGroupOffsetsRequestPartition())));
        }
        new AlterShareGroupOffsetsHandler(coordinator, fixture.metadata(), fixture.authorization())
                .handle(fixture.request(new AlterShareGroupOffsetsRequest.Builder(data).build((short) 0)));
        AlterShareGroupOffsetsResponseData answer =
                fixture.asked().answer(AlterShareGroupOffsetsResponse.class).data();
        Map<String, String> outcomes = new TreeMap<>();
        if (answer.errorCode() != Errors.NONE.code()) {
            outcomes.put("g", name(answer.errorCode()));
        } else {
            answer.responses()
                    .forEach(topic -> outcomes.put(
                            topic.topicName(), name(topic.partitions().get(0).errorCode())));
        }
        return outcomes;
    }

    private Map<String, String> delete(String... topics) {
        DeleteShareGroupOffsetsRequestData data = new DeleteShareGroupOffsetsRequestData()
                .setGroupId("g")
                .setTopics(List.of(topics).stream()
                        .map(name -> new DeleteShareGroupOffsetsRequestTopic().setTopicName(name))
                        .toList());
        new DeleteShareGroupOffsetsHandler(coordinator, fixture.metadata(), fixture.authorization())
                .handle(fixture.request(new DeleteShareGroupOffsetsRequest.Builder(data).build((short) 0)));
        DeleteShareGroupOffsetsResponseData answer =
                fixture.asked().answer(DeleteShareGroupOffsetsResponse.class).data();
        Map<String, String> outcomes = new TreeMap<>();
        if (answer.errorCode() != Errors.NONE.code()) {
            outcomes.put("g", name(answer.errorCode()));
        } else {
            answer.responses().forEach(topic -> outcomes.put(topic.topicName(), name(topic.errorCode())));
        }
        return outcomes;
    }

    private static String name(short code) {
        return Errors.forCode(code).name();
    }
}
