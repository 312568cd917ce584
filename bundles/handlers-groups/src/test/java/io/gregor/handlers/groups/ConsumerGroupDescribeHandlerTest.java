package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeNodeConfig;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupDescribeRequest;
import org.apache.kafka.common.requests.ConsumerGroupDescribeResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.junit.jupiter.api.Test;

class ConsumerGroupDescribeHandlerTest {
    private final HandlerFixture fixture = new HandlerFixture().level("group.version", 1);
    private final ConsumerGroupDescribeHandler handler = new ConsumerGroupDescribeHandler(
            FakeNodeConfig.of(), coordinator(), fixture.metadata(), fixture.authorization());

    /** Each group has one member that has a topic and gets another, both of the group's name. */
    private static GroupCoordinator coordinator() {
        return Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> {
            List<DescribedGroup> groups = ((List<?>) arguments[1])
                    .stream()
                            .map(String.class::cast)
                            .map(id -> new DescribedGroup()
                                    .setGroupId(id)
                                    .setMembers(List.of(new Member()
                                            .setAssignment(assignment("has-" + id))
                                            .setTargetAssignment(assignment("gets-" + id)))))
                            .toList();
            return CompletableFuture.completedFuture(groups);
        });
    }

    private static Assignment assignment(String topic) {
        return new Assignment()
                .setTopicPartitions(
                        List.of(new TopicPartitions().setTopicName(topic).setPartitions(List.of(0))));
    }

    @Test
    void showsOnlyGroupsThatTheClientMayDescribeWithAllTheirTopics() {
        fixture.deny("DESCRIBE b").deny("DESCRIBE has-c").deny("DESCRIBE gets-d");

        Map<String, DescribedGroup> groups = handle(false, "a", "b", "c", "d");

        assertThat(groups.get("a").errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(groups.get("a").members()).hasSize(1);
        assertThat(groups.get("b").errorCode()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED.code());
        assertThat(List.of(groups.get("c"), groups.get("d"))).allSatisfy(hidden -> {
            assertThat(hidden.errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
            assertThat(hidden.members()).isEmpty();
        });
    }

    @Test
    void tellsWhatTheClientMayDoIfItAsks() {
        assertThat(handle(true, "a").get("a").authorizedOperations()).isEqualTo(FakeAuthorization.OPERATIONS);
        assertThat(handle(false, "a").get("a").authorizedOperations()).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void isNotServedInAClusterWithoutTheProtocol() {
        fixture.level("group.version", 0);

        assertThat(handle(false, "a").get("a").errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
    }

    private Map<String, DescribedGroup> handle(boolean withOperations, String... groups) {
        ConsumerGroupDescribeRequestData data = new ConsumerGroupDescribeRequestData()
                .setGroupIds(List.of(groups))
                .setIncludeAuthorizedOperations(withOperations);
        handler.handle(fixture.request(new ConsumerGroupDescribeRequest(data, (short) 1)));
        Map<String, DescribedGroup> described = new TreeMap<>();
        fixture.asked()
                .answer(ConsumerGroupDescribeResponse.class)
                .data()
                .groups()
                .forEach(group -> described.put(group.groupId(), group));
        return described;
    }
}
