package io.gregor.handlers.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.node.NodeConfig;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeLiveConfig;
import io.gregor.testing.FakeLogLevels;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConfigAlterationTest {
    private final NodeConfig config = FakeNodeConfig.of();
    private final FakeLiveConfig live = new FakeLiveConfig(config);
    private final FakeLogLevels levels = new FakeLogLevels();
    private Errors answer = Errors.NONE;
    private final FakeController controller = new FakeController(body -> Optional.of(answer(body)));

    @Test
    void forwardsWhatIsLeftInOneRequestAndAnswersInTheOrderOfTheClients() {
        answer = Errors.POLICY_VIOLATION;
        FakeRequest request = request(
                false,
                resource(ConfigResource.Type.BROKER, "2", OpType.SET, "3"),
                resource(ConfigResource.Type.TOPIC, "a", OpType.SET, "3"),
                resource(ConfigResource.Type.TOPIC, "b", OpType.SET, null),
                resource(ConfigResource.Type.TOPIC, "c", OpType.DELETE, null));

        handle(request);

        assertThat(controller.forwarded()).singleElement().satisfies(body -> assertThat(
                        ((IncrementalAlterConfigsRequest) body).data().resources())
                .extracting(AlterConfigsResource::resourceName)
                .containsExactly("a", "c"));
        assertThat(request.answer(IncrementalAlterConfigsResponse.class).data().responses())
                .extracting(AlterConfigsResourceResponse::resourceName, AlterConfigsResourceResponse::errorCode)
                .containsExactly(
                        tuple("2", Errors.INVALID_REQUEST.code()),
                        tuple("a", Errors.POLICY_VIOLATION.code()),
                        tuple("b", Errors.INVALID_REQUEST.code()),
                        tuple("c", Errors.POLICY_VIOLATION.code()));
    }

    @Test
    void triesABrokersSettingsBeforeTheControllerStoresThemAndAnswersWhenTheyCount() {
        CompletableFuture<Void> counts = new CompletableFuture<>();
        live.waitFor(counts);
        FakeRequest request = request(
                false,
                resource(ConfigResource.Type.BROKER, "1", OpType.SET, "3"),
                resource(ConfigResource.Type.BROKER, "", OpType.DELETE, null));

        handle(request);

        assertThat(live.proposals())
                .extracting(
                        proposal -> proposal.scope(),
                        proposal -> proposal.who(),
                        proposal -> proposal.door(),
                        proposal -> proposal.isDryRun())
                .containsExactly(
                        tuple(Scope.NODE, "User:ANONYMOUS", "admin", false),
                        tuple(Scope.CLUSTER, "User:ANONYMOUS", "admin", false));
        assertThat(live.proposals().get(0).values()).containsExactly(entry("retention.ms", "3"));
        assertThat(live.proposals().get(1).values()).containsExactly(entry("retention.ms", null));
        assertThat(controller.forwarded()).isEmpty();
        assertThat(request.answers()).isEmpty();

        counts.complete(null);

        assertThat(controller.forwarded()).hasSize(2);
        assertThat(request.answer(IncrementalAlterConfigsResponse.class).data().responses())
                .extracting(AlterConfigsResourceResponse::errorCode)
                .containsExactly(Errors.NONE.code(), Errors.NONE.code());
    }

    @Test
    void sendsNothingToTheControllerThatThisNodeRefuses() {
        live.refuse(new ApiError(Errors.INVALID_REQUEST, "port=1 is taken"));
        FakeRequest request = request(false, resource(ConfigResource.Type.BROKER, "1", OpType.SET, "3"));

        handle(request);

        assertThat(controller.forwarded()).isEmpty();
        assertThat(request.answer(IncrementalAlterConfigsResponse.class).data().responses())
                .extracting(AlterConfigsResourceResponse::errorCode, AlterConfigsResourceResponse::errorMessage)
                .containsExactly(tuple(Errors.INVALID_REQUEST.code(), "port=1 is taken"));
    }

    @Test
    void onlyValidatesWhereTheRequestOnlyValidates() {
        FakeRequest request = request(
                true, resource(ConfigResource.Type.BROKER, "1", OpType.SET, "3"), logger("1", "kafka", "DEBUG"));

        handle(request);

        assertThat(live.proposals()).singleElement().satisfies(proposal -> assertThat(proposal.isDryRun())
                .isTrue());
        assertThat(controller.forwarded()).singleElement().satisfies(body -> assertThat(
                        ((IncrementalAlterConfigsRequest) body).data().validateOnly())
                .isTrue());
        assertThat(levels.levels()).containsEntry("kafka", "WARN");
    }

    @Test
    void deletesWhatTheOldApiDoesNotName() {
        live.stored(Scope.NODE, "num.io.threads", "4");
        AlterConfigsRequestData data = new AlterConfigsRequestData();
        AlterConfigsRequestData.AlterConfigsResource broker = new AlterConfigsRequestData.AlterConfigsResource()
                .setResourceType(ConfigResource.Type.BROKER.id())
                .setResourceName("1");
        broker.configs()
                .add(new AlterConfigsRequestData.AlterableConfig()
                        .setName("num.network.threads")
                        .setValue("2"));
        data.resources().add(broker);
        live.refuse(new ApiError(Errors.INVALID_REQUEST, "no"));
        FakeRequest request = new FakeRequest(new AlterConfigsRequest(data, (short) 2));

        new AlterConfigsHandler(alteration(controller)).handle(request);

        assertThat(live.proposals().get(0).values())
                .containsExactly(entry("num.io.threads", null), entry("num.network.threads", "2"));
        assertThat(request.answer(AlterConfigsResponse.class)
                        .data()
                        .responses()
                        .get(0)
                        .errorMessage())
                .isEqualTo("no");
    }

    @Test
    void changesLogLevelsOfThisNodeOnly() {
        FakeRequest request = request(false, logger("1", "kafka", "DEBUG"), logger("2", "kafka", "TRACE"));

        handle(request);

        assertThat(levels.levels()).containsEntry("kafka", "DEBUG");
        assertThat(request.answer(IncrementalAlterConfigsResponse.class).data().responses())
                .extracting(AlterConfigsResourceResponse::errorMessage)
                .containsExactly(null, "Unexpected node id. Expected 1, but received 2");
    }

    @Test
    void closesTheConnectionWhenTheControllerDoesNotKnowTheVersion() {
        FakeRequest request = request(false, resource(ConfigResource.Type.TOPIC, "a", OpType.SET, "3"));

        new IncrementalAlterConfigsHandler(alteration(new FakeController(body -> Optional.empty()))).handle(request);

        assertThat(request.answers()).containsExactly(FakeRequest.CLOSED);
    }

    private void handle(FakeRequest request) {
        new IncrementalAlterConfigsHandler(alteration(controller)).handle(request);
    }

    private ConfigAlteration alteration(FakeController to) {
        return new ConfigAlteration(config, new FakeAuthorization(), to, live, levels);
    }

    private AbstractResponse answer(AbstractRequest body) {
        IncrementalAlterConfigsResponseData data = new IncrementalAlterConfigsResponseData();
        ((IncrementalAlterConfigsRequest) body).data().resources().forEach(resource -> data.responses()
                .add(new AlterConfigsResourceResponse()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName())
                        .setErrorCode(answer.code())));
        return new IncrementalAlterConfigsResponse(data);
    }

    private static FakeRequest request(boolean validateOnly, AlterConfigsResource... resources) {
        IncrementalAlterConfigsRequestData data =
                new IncrementalAlterConfigsRequestData().setValidateOnly(validateOnly);
        List.of(resources).forEach(resource -> data.resources().add(resource));
        return new FakeRequest(new IncrementalAlterConfigsRequest(data, (short) 1));
    }

    private static AlterConfigsResource resource(
            ConfigResource.Type type, String name, OpType operation, @Nullable String value) {
        return resource(
                type,
                name,
                new AlterableConfig()
                        .setName("retention.ms")
                        .setConfigOperation(operation.id())
                        .setValue(value));
    }

    private static AlterConfigsResource logger(String node, String logger, String level) {
        return resource(
                ConfigResource.Type.BROKER_LOGGER,
                node,
                new AlterableConfig()
                        .setName(logger)
                        .setConfigOperation(OpType.SET.id())
                        .setValue(level));
    }

    private static AlterConfigsResource resource(ConfigResource.Type type, String name, AlterableConfig setting) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(type.id()).setResourceName(name);
        resource.configs().add(setting);
        return resource;
    }
}
