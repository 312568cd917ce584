package io.gregor.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.controller.FakeController;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.controller.ResultOrError;
import org.junit.jupiter.api.Test;

class TopicDeletionTest {
    private static final Uuid ONE = new Uuid(0, 11);
    private static final Uuid TWO = new Uuid(0, 12);
    private static final Uuid GONE = new Uuid(0, 13);
    private static final Map<String, Uuid> TOPICS = Map.of("one", ONE, "two", TWO);
    private static final ControllerRequestContext CONTEXT =
            new ControllerRequestContext(new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.empty());

    @Test
    void deletesByNameAndById() {
        List<DeletableTopicResult> results = delete(all(), named("one"), identified(TWO));

        assertThat(summary(results)).containsExactlyInAnyOrder("one " + ONE + " NONE", "two " + TWO + " NONE");
    }

    @Test
    void refusesWhatIsNamedTwiceInAnyWay() {
        assertThat(summary(delete(all(), named("one"), named("one"))))
                .containsExactly("one " + Uuid.ZERO_UUID + " INVALID_REQUEST");
        assertThat(summary(delete(all(), identified(ONE), identified(ONE))))
                .containsExactly("null " + ONE + " INVALID_REQUEST");
        assertThat(summary(delete(all(), named("one"), identified(ONE))))
                .containsExactly("one " + ONE + " INVALID_REQUEST");
    }

    @Test
    void refusesATopicWithBothOrNeitherOfNameAndId() {
        assertThat(summary(delete(all(), named("one").setTopicId(ONE), new DeleteTopicState().setName(null))))
                .containsExactlyInAnyOrder(
                        "one " + ONE + " INVALID_REQUEST", "null " + Uuid.ZERO_UUID + " INVALID_REQUEST");
    }

    @Test
    void tellsThatATopicIsUnknownOnlyToWhoMayDescribeIt() {
        assertThat(summary(delete(all(), named("none"), identified(GONE))))
                .containsExactlyInAnyOrder(
                        "none " + Uuid.ZERO_UUID + " UNKNOWN_TOPIC_OR_PARTITION", "null " + GONE + " UNKNOWN_TOPIC_ID");
        assertThat(summary(delete(none(), named("none"), named("one"))))
                .containsExactlyInAnyOrder(
                        "none " + Uuid.ZERO_UUID + " TOPIC_AUTHORIZATION_FAILED",
                        "one " + Uuid.ZERO_UUID + " TOPIC_AUTHORIZATION_FAILED");
    }

    @Test
    void hidesTheNameBehindAnIdFromWhoMayNotDescribeIt() {
        assertThat(summary(delete(none(), identified(ONE))))
                .containsExactly("null " + ONE + " TOPIC_AUTHORIZATION_FAILED");
        assertThat(summary(delete(names -> new TopicDeletion.Rights(names, Set.of()), identified(ONE))))
                .containsExactly("one " + ONE + " TOPIC_AUTHORIZATION_FAILED");
    }

    private static List<DeletableTopicResult> delete(
            Function<Set<String>, TopicDeletion.Rights> rights, DeleteTopicState... topics) {
        FakeController controller = new FakeController()
                .on("findTopicNames", arguments -> find(arguments[1], TopicDeletionTest::nameOf))
                .on("findTopicIds", arguments -> find(arguments[1], TopicDeletionTest::idOf))
                .on("deleteTopics", arguments -> find(arguments[1], id -> ApiError.NONE));
        return new TopicDeletion(controller.controller(), CONTEXT, rights)
                .delete(new DeleteTopicsRequestData().setTopics(List.of(topics)))
                .toCompletableFuture()
                .join();
    }

    @SuppressWarnings("unchecked")
    private static <K, V> Map<K, V> find(Object keys, Function<K, V> value) {
        Map<K, V> found = new HashMap<>();
        ((Collection<K>) keys).forEach(key -> found.put(key, value.apply(key)));
        return found;
    }

    private static ResultOrError<String> nameOf(Uuid id) {
        return TOPICS.entrySet().stream()
                .filter(topic -> topic.getValue().equals(id))
                .findFirst()
                .map(topic -> new ResultOrError<>(topic.getKey()))
                .orElse(new ResultOrError<>(Errors.UNKNOWN_TOPIC_ID, "unknown"));
    }

    private static ResultOrError<Uuid> idOf(String name) {
        Uuid id = TOPICS.get(name);
        return id == null ? new ResultOrError<>(Errors.UNKNOWN_TOPIC_OR_PARTITION, "unknown") : new ResultOrError<>(id);
    }

    private static Function<Set<String>, TopicDeletion.Rights> all() {
        return names -> new TopicDeletion.Rights(names, names);
    }

    private static Function<Set<String>, TopicDeletion.Rights> none() {
        return names -> new TopicDeletion.Rights(Set.of(), Set.of());
    }

    private static DeleteTopicState named(String name) {
        return new DeleteTopicState().setName(name);
    }

    private static DeleteTopicState identified(Uuid id) {
        return new DeleteTopicState().setName(null).setTopicId(id);
    }

    private static List<String> summary(List<DeletableTopicResult> results) {
        return results.stream()
                .map(result -> result.name() + " " + result.topicId() + " " + Errors.forCode(result.errorCode()))
                .collect(Collectors.toList());
    }
}
