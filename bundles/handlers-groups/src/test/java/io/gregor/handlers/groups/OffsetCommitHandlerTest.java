package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.junit.jupiter.api.Test;

class OffsetCommitHandlerTest {
    private static final Uuid KNOWN = Uuid.randomUuid();
    private static final Uuid SECRET = Uuid.randomUuid();
    private static final Uuid GONE = Uuid.randomUuid();

    private final HandlerFixture fixture =
            new HandlerFixture().topic("known", KNOWN).topic("secret", SECRET).deny("secret");
    private final OffsetCommitHandler handler =
            new OffsetCommitHandler(coordinator(), fixture.metadata(), fixture.authorization());
    private OffsetCommitRequestData committed;

    @Test
    void commitsWhatIsKnownAndAllowedAndAnswersTheRestByName() {
        handler.handle(fixture.request(request(9, topic("known", 0, 7), topic("secret", 0), topic("gone", 0))));

        assertThat(committed.topics()).singleElement().satisfies(topic -> {
            assertThat(topic.topicId()).isEqualTo(KNOWN);
            assertThat(topic.partitions()).hasSize(1);
        });
        assertThat(errors(false))
                .isEqualTo(Map.of(
                        "known-0", Errors.NONE,
                        "known-7", Errors.UNKNOWN_TOPIC_OR_PARTITION,
                        "secret-0", Errors.TOPIC_AUTHORIZATION_FAILED,
                        "gone-0", Errors.UNKNOWN_TOPIC_OR_PARTITION));
    }

    @Test
    void findsTheNameOfATopicIdAndRefusesAnUnknownId() {
        handler.handle(fixture.request(request(10, topic(KNOWN), topic(SECRET), topic(GONE))));

        assertThat(committed.topics()).singleElement().satisfies(topic -> assertThat(topic.name())
                .isEqualTo("known"));
        assertThat(errors(true))
                .isEqualTo(Map.of(
                        KNOWN + "-0", Errors.NONE,
                        SECRET + "-0", Errors.TOPIC_AUTHORIZATION_FAILED,
                        GONE + "-0", Errors.UNKNOWN_TOPIC_ID));
    }

    @Test
    void answersWithoutTheCoordinatorWhenNothingIsLeft() {
        handler.handle(fixture.request(request(9, topic("gone", 0))));

        assertThat(committed).isNull();
        assertThat(errors(false)).isEqualTo(Map.of("gone-0", Errors.UNKNOWN_TOPIC_OR_PARTITION));
    }

    @Test
    void refusesAGroupThatTheClientMayNotRead() {
        fixture.deny("g");

        handler.handle(fixture.request(request(9, topic("known", 0))));

        assertThat(fixture.asked().answers()).containsExactly(Errors.GROUP_AUTHORIZATION_FAILED.exception());
    }

    private static OffsetCommitRequest request(int version, OffsetCommitRequestTopic... topics) {
        OffsetCommitRequestData data =
                new OffsetCommitRequestData().setGroupId("g").setTopics(List.of(topics));
        return OffsetCommitRequest.Builder.forTopicIdsOrNames(data).build((short) version);
    }

    private static OffsetCommitRequestTopic topic(String name, int... partitions) {
        OffsetCommitRequestTopic topic = new OffsetCommitRequestTopic().setName(name);
        for (int partition : partitions) {
            topic.partitions().add(new OffsetCommitRequestPartition().setPartitionIndex(partition));
        }
        return topic;
    }

    private static OffsetCommitRequestTopic topic(Uuid id) {
        return topic("", 0).setTopicId(id);
    }

    private Map<String, Errors> errors(boolean byId) {
        Map<String, Errors> errors = new TreeMap<>();
        OffsetCommitResponse response = fixture.asked().answer(OffsetCommitResponse.class);
        for (OffsetCommitResponseTopic topic : response.data().topics()) {
            for (OffsetCommitResponsePartition partition : topic.partitions()) {
                String name = byId ? topic.topicId().toString() : topic.name();
                errors.put(name + "-" + partition.partitionIndex(), Errors.forCode(partition.errorCode()));
            }
        }
        return errors;
    }

    private GroupCoordinator coordinator() {
        return Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> {
            committed = (OffsetCommitRequestData) arguments[1];
            OffsetCommitResponseData response = new OffsetCommitResponseData();
            for (OffsetCommitRequestTopic topic : committed.topics()) {
                OffsetCommitResponseTopic done =
                        new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
                topic.partitions().forEach(partition -> done.partitions()
                        .add(new OffsetCommitResponsePartition().setPartitionIndex(partition.partitionIndex())));
                response.topics().add(done);
            }
            return CompletableFuture.completedFuture(response);
        });
    }
}
