package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeAuthorization;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.junit.jupiter.api.Test;

class CreateTopicsHandlerTest {
    private final FakeController controller =
            new FakeController().on("createTopics", arguments -> created((CreateTopicsRequestData) arguments[1]));

    @Test
    void createsOnlyWhatIsAllowedAndNamedOnce() {
        Map<String, Errors> errors = create(
                Set.of("CREATE kafka-cluster", "CREATE secret"),
                "plain",
                "secret",
                "twice",
                "twice",
                "__cluster_metadata");

        assertThat(errors)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "plain", Errors.NONE,
                        "secret", Errors.TOPIC_AUTHORIZATION_FAILED,
                        "twice", Errors.INVALID_REQUEST,
                        "__cluster_metadata", Errors.INVALID_REQUEST));
    }

    @Test
    void createsEverythingForWhoMayCreateInTheCluster() {
        assertThat(create(Set.of("CREATE secret"), "secret")).containsExactly(Map.entry("secret", Errors.NONE));
    }

    @Test
    void answersEveryTopicWithTheFaultOfTheController() {
        controller.failing("createTopics", new NotControllerException("no"));

        assertThat(create(Set.of(), "a", "b").values())
                .containsOnly(Errors.NOT_CONTROLLER)
                .hasSize(2);
    }

    private Map<String, Errors> create(Set<String> denied, String... names) {
        FakeAuthorization authorization = new FakeAuthorization();
        denied.forEach(authorization::deny);
        CreateTopicsRequestData data = new CreateTopicsRequestData();
        Stream.of(names).forEach(name -> data.topics()
                .mustAdd(new CreatableTopic().setName(name).setNumPartitions(1).setReplicationFactor((short) 1)));
        FakeRequest request = new FakeRequest(new CreateTopicsRequest.Builder(data).build());
        new CreateTopicsHandler(new ControllerCalls(controller.controller(), authorization)).handle(request.request());
        Map<String, Errors> errors = new TreeMap<>();
        request.answer(CreateTopicsResponse.class)
                .data()
                .topics()
                .forEach(topic -> errors.put(topic.name(), Errors.forCode(topic.errorCode())));
        return errors;
    }

    private static CreateTopicsResponseData created(CreateTopicsRequestData request) {
        CreateTopicsResponseData response = new CreateTopicsResponseData();
        request.topics().forEach(topic -> response.topics().add(new CreatableTopicResult().setName(topic.name())));
        return response;
    }
}
