package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.ConfigChanges;
import io.gregor.internal.admin.ProposedValues;
import io.gregor.internal.admin.SettingChange;
import io.gregor.internal.node.Configurations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Replaces all settings of resources. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 33, role = "controller", api_brief = true)
public final class AlterConfigsHandler implements RequestHandler {
    private final ConfigAlteration alteration;

    /** Changes by this way. */
    @Activate
    public AlterConfigsHandler(@Reference ConfigAlteration alteration) {
        this.alteration = alteration;
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
        ControllerCalls.answer(
                request,
                alteration.alter(request, changes, data.validateOnly(), new Replacing(request, data.validateOnly())),
                AlterConfigsHandler::response);
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

    /** What this API does with its resources. */
    private final class Replacing implements ConfigAlteration.Api<Map<String, String>> {
        private final Request request;
        private final boolean isDryRun;

        Replacing(Request request, boolean isDryRun) {
            this.request = request;
            this.isDryRun = isDryRun;
        }

        @Override
        public CompletableFuture<Map<ConfigResource, ApiError>> store(
                Map<ConfigResource, Map<String, String>> changes) {
            return alteration
                    .calls()
                    .controller()
                    .legacyAlterConfigs(
                            ControllerCalls.context(request), changes, isDryRun, ControllerCalls.isForwarded(request));
        }

        @Override
        public Map<String, @Nullable String> values(Map<String, String> change, Map<String, String> stored) {
            return ProposedValues.replacing(
                    change.entrySet().stream()
                            .map(setting -> SettingChange.set(setting.getKey(), setting.getValue()))
                            .toList(),
                    stored);
        }
    }
}
