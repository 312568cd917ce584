package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.ConfigChanges;
import io.gregor.controller.internal.ConfigRights;
import io.gregor.internal.node.Configurations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Replaces all settings of resources. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 33, role = "controller", api_brief = true)
public final class AlterConfigsHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public AlterConfigsHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        AlterConfigsRequestData data = request.body(AlterConfigsRequest.class).data();
        ConfigChanges<Map<String, String>> changes = new ConfigChanges<>();
        data.resources().forEach(resource -> {
            Map<String, String> settings = new HashMap<>();
            resource.configs().forEach(config -> settings.put(config.name(), config.value()));
            changes.add(resource.resourceType(), resource.resourceName(), settings);
        });
        changes.check(new ConfigRights(calls.authorization(), request.context())::check);
        ControllerCalls.answer(
                request,
                calls.controller()
                        .legacyAlterConfigs(
                                ControllerCalls.context(request),
                                changes.accepted(),
                                data.validateOnly(),
                                ControllerCalls.isForwarded(request)),
                done -> response(changes.outcomes(done)));
    }

    private static AbstractResponse response(List<ConfigChanges.Outcome> outcomes) {
        return new AlterConfigsResponse(new AlterConfigsResponseData()
                .setResponses(outcomes.stream()
                        .map(outcome -> new AlterConfigsResourceResponse()
                                .setResourceType(outcome.type())
                                .setResourceName(outcome.name())
                                .setErrorCode(outcome.error().error().code())
                                .setErrorMessage(outcome.error().message()))
                        .toList()));
    }
}
