package io.gregor.handlers.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.handlers.admin.internal.FakeNodeConfig;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IncrementalAlterConfigsHandlerTest {
    private final FakeController controller = new FakeController(body -> Optional.of(policyViolation(body)));

    @Test
    void forwardsWhatIsLeftAndAnswersInTheOrderOfTheRequest() {
        FakeRequest request = request(
                resource(ConfigResource.Type.BROKER, "1", OpType.SET, "3"),
                resource(ConfigResource.Type.TOPIC, "a", OpType.SET, "3"),
                resource(ConfigResource.Type.TOPIC, "b", OpType.SET, null),
                resource(ConfigResource.Type.TOPIC, "c", OpType.DELETE, null));

        handler(controller).handle(request);

        assertThat(controller.forwarded()).singleElement().satisfies(body -> assertThat(
                        ((IncrementalAlterConfigsRequest) body).data().resources())
                .extracting(AlterConfigsResource::resourceName)
                .containsExactly("a", "c"));
        assertThat(request.answer(IncrementalAlterConfigsResponse.class).data().responses())
                .extracting(AlterConfigsResourceResponse::resourceName, AlterConfigsResourceResponse::errorCode)
                .containsExactly(
                        tuple("1", Errors.INVALID_REQUEST.code()),
                        tuple("a", Errors.POLICY_VIOLATION.code()),
                        tuple("b", Errors.INVALID_REQUEST.code()),
                        tuple("c", Errors.POLICY_VIOLATION.code()));
    }

    @Test
    void forwardsNothingWhenAllIsRefused() {
        FakeRequest request = request(resource(ConfigResource.Type.BROKER, "1", OpType.SET, "3"));

        handler(controller).handle(request);

        assertThat(controller.forwarded()).isEmpty();
        assertThat(request.answer(IncrementalAlterConfigsResponse.class).data().responses())
                .hasSize(1);
    }

    @Test
    void closesTheConnectionWhenTheControllerDoesNotKnowTheVersion() {
        FakeRequest request = request(resource(ConfigResource.Type.TOPIC, "a", OpType.SET, "3"));

        handler(new FakeController(body -> Optional.empty())).handle(request);

        assertThat(request.isClosed()).isTrue();
    }

    private static IncrementalAlterConfigsHandler handler(FakeController controller) {
        return new IncrementalAlterConfigsHandler(
                FakeNodeConfig.with(Map.of()), new FakeAuthorization(Set.of()), controller);
    }

    private static AbstractResponse policyViolation(AbstractRequest body) {
        IncrementalAlterConfigsResponseData answer = new IncrementalAlterConfigsResponseData();
        ((IncrementalAlterConfigsRequest) body).data().resources().forEach(resource -> answer.responses()
                .add(new AlterConfigsResourceResponse()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName())
                        .setErrorCode(Errors.POLICY_VIOLATION.code())));
        return new IncrementalAlterConfigsResponse(answer);
    }

    private static FakeRequest request(AlterConfigsResource... resources) {
        IncrementalAlterConfigsRequestData data = new IncrementalAlterConfigsRequestData();
        for (AlterConfigsResource resource : resources) {
            data.resources().add(resource);
        }
        return new FakeRequest(new IncrementalAlterConfigsRequest(data, (short) 1));
    }

    private static AlterConfigsResource resource(
            ConfigResource.Type type, String name, OpType operation, @Nullable String value) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(type.id()).setResourceName(name);
        resource.configs()
                .add(new AlterableConfig()
                        .setName("retention.ms")
                        .setConfigOperation(operation.id())
                        .setValue(value));
        return resource;
    }
}
