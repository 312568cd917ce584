package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.junit.jupiter.api.Test;

class OffsetFetchHandlerTest {
    private static final Uuid KNOWN = Uuid.randomUuid();
    private static final Uuid SECRET = Uuid.randomUuid();
    private static final Uuid GONE = Uuid.randomUuid();

    private final HandlerFixture fixture =
            new HandlerFixture().topic("known", KNOWN).topic("secret", SECRET).deny("secret");
    private final OffsetFetchHandler handler =
            new OffsetFetchHandler(coordinator(), fixture.metadata(), fixture.authorization());

    @Test
    void asksForAllowedTopicsOnly() {
        handle(8, group("g", topic("known"), topic("secret")));

        assertThat(errors(group("g")))
                .isEqualTo(Map.of("known", Errors.NONE, "secret", Errors.TOPIC_AUTHORIZATION_FAILED));
    }

    @Test
    void findsTheNameOfATopicIdAndRefusesAnUnknownId() {
        handle(10, group("g", topic(KNOWN), topic(SECRET), topic(GONE)));

        assertThat(errors(group("g")))
                .isEqualTo(Map.of(
                        KNOWN.toString(), Errors.NONE,
                        SECRET.toString(), Errors.TOPIC_AUTHORIZATION_FAILED,
                        GONE.toString(), Errors.UNKNOWN_TOPIC_ID));
    }

    @Test
    void showsOfAllTopicsThoseThatTheClientMayDescribe() {
        handle(8, group("g").setTopics(null));

        assertThat(errors(group("g"))).isEqualTo(Map.of("known", Errors.NONE, "gone", Errors.NONE));
    }

    @Test
    void leavesOutOfAllTopicsThoseWithoutAnIdWhenIdsAreAskedFor() {
        handle(10, group("g").setTopics(null));

        assertThat(errors(group("g"))).isEqualTo(Map.of(KNOWN.toString(), Errors.NONE));
    }

    @Test
    void answersEachGroupForItself() {
        fixture.deny("hidden");

        handle(8, group("g", topic("known")), group("hidden", topic("known")), group("broken", topic("known")));

        assertThat(answer(group("g")).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(answer(group("hidden")).errorCode()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED.code());
        assertThat(answer(group("broken")).errorCode()).isEqualTo(Errors.NOT_COORDINATOR.code());
    }

    private void handle(int version, OffsetFetchRequestGroup... groups) {
        OffsetFetchRequestData data = new OffsetFetchRequestData().setGroups(List.of(groups));
        handler.handle(fixture.request(
                OffsetFetchRequest.Builder.forTopicIdsOrNames(data, false).build((short) version)));
    }

    private static OffsetFetchRequestGroup group(String id, OffsetFetchRequestTopics... topics) {
        return new OffsetFetchRequestGroup().setGroupId(id).setTopics(List.of(topics));
    }

    private static OffsetFetchRequestTopics topic(String name) {
        return new OffsetFetchRequestTopics().setName(name).setPartitionIndexes(List.of(0));
    }

    private static OffsetFetchRequestTopics topic(Uuid id) {
        return topic("").setTopicId(id);
    }

    private OffsetFetchResponseGroup answer(OffsetFetchRequestGroup group) {
        return fixture.asked().answer(OffsetFetchResponse.class).group(group.groupId());
    }

    private Map<String, Errors> errors(OffsetFetchRequestGroup group) {
        Map<String, Errors> errors = new TreeMap<>();
        for (OffsetFetchResponseTopics topic : answer(group).topics()) {
            Errors error = Errors.forCode(topic.partitions().get(0).errorCode());
            errors.put(
                    topic.topicId().equals(Uuid.ZERO_UUID)
                            ? topic.name()
                            : topic.topicId().toString(),
                    error);
        }
        return errors;
    }

    private GroupCoordinator coordinator() {
        return Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> {
            OffsetFetchRequestGroup asked = (OffsetFetchRequestGroup) arguments[1];
            if (asked.groupId().equals("broken")) {
                return CompletableFuture.failedFuture(Errors.NOT_COORDINATOR.exception());
            }
            List<OffsetFetchResponseTopics> found = asked.topics() == null
                    ? List.of(found("known", Uuid.ZERO_UUID), found("secret", SECRET), found("gone", Uuid.ZERO_UUID))
                    : asked.topics().stream()
                            .map(topic -> found(topic.name(), topic.topicId()))
                            .toList();
            return CompletableFuture.completedFuture(
                    new OffsetFetchResponseGroup().setGroupId(asked.groupId()).setTopics(found));
        });
    }

    private static OffsetFetchResponseTopics found(String name, Uuid id) {
        return new OffsetFetchResponseTopics()
                .setName(name)
                .setTopicId(id)
                .setPartitions(List.of(new OffsetFetchResponsePartitions().setCommittedOffset(5)));
    }
}
