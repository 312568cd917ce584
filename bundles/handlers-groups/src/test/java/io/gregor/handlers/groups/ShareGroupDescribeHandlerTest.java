package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ShareGroupDescribeRequestData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ShareGroupDescribeRequest;
import org.apache.kafka.common.requests.ShareGroupDescribeResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.junit.jupiter.api.Test;

class ShareGroupDescribeHandlerTest {
    private final HandlerFixture fixture = new HandlerFixture().level("share.version", 1);
    private final ShareGroupDescribeHandler handler =
            new ShareGroupDescribeHandler(coordinator(), fixture.metadata(), fixture.authorization());

    /** Each group has one member with the topic of its name. */
    private static GroupCoordinator coordinator() {
        return Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> {
            List<DescribedGroup> groups = ((List<?>) arguments[1])
                    .stream()
                            .map(String.class::cast)
                            .map(id -> new DescribedGroup()
                                    .setGroupId(id)
                                    .setMembers(List.of(new Member()
                                            .setAssignment(new Assignment()
                                                    .setTopicPartitions(List.of(new TopicPartitions()
                                                            .setTopicName("t-" + id)
                                                            .setPartitions(List.of(0))))))))
                            .toList();
            return CompletableFuture.completedFuture(groups);
        });
    }

    @Test
    void showsOnlyGroupsThatTheClientMayDescribeWithAllTheirTopics() {
        fixture.deny("DESCRIBE b").deny("DESCRIBE t-c");

        Map<String, DescribedGroup> groups = handle(false, "a", "b", "c");

        assertThat(groups.get("a").errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(groups.get("a").members()).hasSize(1);
        assertThat(groups.get("b").errorCode()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED.code());
        assertThat(groups.get("c").errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(groups.get("c").members()).isEmpty();
    }

    @Test
    void tellsWhatTheClientMayDoIfItAsks() {
        assertThat(handle(true, "a").get("a").authorizedOperations()).isEqualTo(FakeAuthorization.OPERATIONS);
        assertThat(handle(false, "a").get("a").authorizedOperations()).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void isNotServedInAClusterWithoutShareGroups() {
        fixture.level("share.version", 0);

        assertThat(handle(false, "a").get("a").errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
    }

    private Map<String, DescribedGroup> handle(boolean withOperations, String... groups) {
        ShareGroupDescribeRequestData data = new ShareGroupDescribeRequestData()
                .setGroupIds(List.of(groups))
                .setIncludeAuthorizedOperations(withOperations);
        handler.handle(fixture.request(new ShareGroupDescribeRequest(data, (short) 1)));
        Map<String, DescribedGroup> described = new TreeMap<>();
        fixture.asked()
                .answer(ShareGroupDescribeResponse.class)
                .data()
                .groups()
                .forEach(group -> described.put(group.groupId(), group));
        return described;
    }
}
