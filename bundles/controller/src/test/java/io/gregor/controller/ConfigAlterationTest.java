package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeLiveConfig;
import io.gregor.testing.FakeLogLevels;
import io.gregor.testing.FakeNodeConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.junit.jupiter.api.Test;

class ConfigAlterationTest {
    private final FakeNodeConfig node = FakeNodeConfig.of();
    private final FakeLiveConfig live = new FakeLiveConfig(node);
    private final FakeLogLevels levels = new FakeLogLevels();
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final List<Map<?, ?>> stored = new ArrayList<>();
    private final FakeController controller = new FakeController()
            .on("isActive", arguments -> true)
            .on("incrementalAlterConfigs", arguments -> store((Map<?, ?>) arguments[1]))
            .on("legacyAlterConfigs", arguments -> store((Map<?, ?>) arguments[1]));

    @Test
    void triesWhatIsForThisNodeAndForAllAndStoresTheRestAtOnce() {
        FakeRequest request = request(broker("1"), broker(""), broker("2"));

        handle(request);

        assertThat(live.proposals())
                .extracting(proposal -> proposal.scope(), proposal -> proposal.values())
                .containsExactlyInAnyOrder(
                        tuple(Scope.NODE, Map.of("num.io.threads", "3")),
                        tuple(Scope.CLUSTER, Map.of("num.io.threads", "3")));
        assertThat(stored).hasSize(3).allSatisfy(resources -> assertThat(resources)
                .hasSize(1));
        assertThat(outcomes(request)).containsOnly(entry("1", "NONE"), entry("", "NONE"), entry("2", "NONE"));
    }

    @Test
    void doesNotTryAgainWhatABrokerHasTried() {
        FakeRequest request = request(broker("1"), broker("")).forwarded();

        handle(request);

        assertThat(live.proposals()).isEmpty();
        assertThat(stored).singleElement().satisfies(resources -> assertThat(resources)
                .hasSize(2));
    }

    @Test
    void storesNothingThatThisNodeRefuses() {
        live.refuse(new ApiError(Errors.INVALID_REQUEST, "port=1 is taken"));
        FakeRequest request = request(broker("1"));

        handle(request);

        assertThat(stored).isEmpty();
        assertThat(outcomes(request)).containsOnly(entry("1", "INVALID_REQUEST port=1 is taken"));
    }

    @Test
    void sendsTheClientToTheActiveControllerInsteadOfTrying() {
        controller
                .on("isActive", arguments -> false)
                .failing("incrementalAlterConfigs", new NotControllerException("not me"));
        FakeRequest request = request(broker("1"));

        handle(request);

        assertThat(live.proposals()).isEmpty();
        assertThat(outcomes(request)).containsOnly(entry("1", "NOT_CONTROLLER not me"));
    }

    @Test
    void triesNothingForWhoMayNotChangeIt() {
        authorization.deny("ALTER_CONFIGS kafka-cluster");
        FakeRequest request = request(broker("1"));

        handle(request);

        assertThat(live.proposals()).isEmpty();
        assertThat(outcomes(request).get("1")).startsWith("CLUSTER_AUTHORIZATION_FAILED");
    }

    @Test
    void changesLevelsOfItsOwnLoggers() {
        FakeRequest request = request(resource(ConfigResource.Type.BROKER_LOGGER, "1", "kafka", "DEBUG"));

        handle(request);

        assertThat(levels.levels()).containsEntry("kafka", "DEBUG");
        assertThat(outcomes(request)).containsOnly(entry("1", "NONE"));
    }

    @Test
    void deletesWhatTheOldApiDoesNotName() {
        live.stored(Scope.NODE, "num.network.threads", "2");
        AlterConfigsRequestData data = new AlterConfigsRequestData();
        data.resources()
                .add(new AlterConfigsRequestData.AlterConfigsResource()
                        .setResourceType(ConfigResource.Type.BROKER.id())
                        .setResourceName("1"));
        FakeRequest request = new FakeRequest(new AlterConfigsRequest(data, (short) 2));

        new AlterConfigsHandler(alteration()).handle(request.request());

        assertThat(live.proposals().get(0).values()).containsExactly(entry("num.network.threads", null));
        assertThat(stored).hasSize(1);
    }

    private void handle(FakeRequest request) {
        new IncrementalAlterConfigsHandler(alteration()).handle(request.request());
    }

    private ConfigAlteration alteration() {
        return new ConfigAlteration(new ControllerCalls(controller.controller(), authorization), node, live, levels);
    }

    private Map<ConfigResource, ApiError> store(Map<?, ?> changes) {
        stored.add(changes);
        Map<ConfigResource, ApiError> answers = new HashMap<>();
        changes.keySet().forEach(resource -> answers.put((ConfigResource) resource, ApiError.NONE));
        return answers;
    }

    private static Map<String, String> outcomes(FakeRequest request) {
        Map<String, String> outcomes = new HashMap<>();
        for (AlterConfigsResourceResponse one :
                request.answer(IncrementalAlterConfigsResponse.class).data().responses()) {
            String error = Errors.forCode(one.errorCode()).name();
            outcomes.put(one.resourceName(), one.errorMessage() == null ? error : error + " " + one.errorMessage());
        }
        return outcomes;
    }

    private static FakeRequest request(AlterConfigsResource... resources) {
        IncrementalAlterConfigsRequestData data = new IncrementalAlterConfigsRequestData();
        List.of(resources).forEach(resource -> data.resources().add(resource));
        return new FakeRequest(new IncrementalAlterConfigsRequest(data, (short) 1));
    }

    private static AlterConfigsResource broker(String name) {
        return resource(ConfigResource.Type.BROKER, name, "num.io.threads", "3");
    }

    private static AlterConfigsResource resource(ConfigResource.Type type, String name, String key, String value) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(type.id()).setResourceName(name);
        resource.configs()
                .add(new AlterableConfig().setName(key).setValue(value).setConfigOperation(OpType.SET.id()));
        return resource;
    }
}
