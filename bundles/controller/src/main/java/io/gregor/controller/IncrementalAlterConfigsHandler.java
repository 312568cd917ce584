package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.ConfigChanges;
import io.gregor.internal.admin.ProposedValues;
import io.gregor.internal.admin.SettingChange;
import io.gregor.internal.node.Configurations;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Changes single settings of resources, and levels of this node's loggers. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 44, role = "controller", api_brief = true)
public final class IncrementalAlterConfigsHandler implements RequestHandler {
    private final ConfigAlteration alteration;

    /** Changes by this way. */
    @Activate
    public IncrementalAlterConfigsHandler(@Reference ConfigAlteration alteration) {
        this.alteration = alteration;
    }

    @Override
    public void handle(Request request) {
        IncrementalAlterConfigsRequestData data =
                request.body(IncrementalAlterConfigsRequest.class).data();
        ConfigChanges<AlterConfigsResource> changes = new ConfigChanges<>();
        List<ConfigChanges.Outcome> loggers = new ArrayList<>();
        data.resources().forEach(resource -> {
            if (resource.resourceType() == ConfigResource.Type.BROKER_LOGGER.id()) {
                loggers.add(alteration.alterLoggers(
                        request,
                        new ConfigResource(ConfigResource.Type.BROKER_LOGGER, resource.resourceName()),
                        settings(resource),
                        data.validateOnly()));
            } else {
                changes.add(resource.resourceType(), resource.resourceName(), resource);
            }
        });
        ControllerCalls.answer(
                request,
                alteration.alter(request, changes, data.validateOnly(), new Incremental(request, data.validateOnly())),
                outcomes -> response(outcomes, loggers));
    }

    private static List<SettingChange> settings(AlterConfigsResource resource) {
        return resource.configs().stream()
                .map(config -> new SettingChange(config.name(), config.configOperation(), config.value()))
                .toList();
    }

    private static AbstractResponse response(
            List<ConfigChanges.Outcome> outcomes, List<ConfigChanges.Outcome> loggers) {
        List<AlterConfigsResourceResponse> responses = new ArrayList<>();
        outcomes.forEach(outcome -> responses.add(response(outcome)));
        loggers.forEach(outcome -> responses.add(response(outcome)));
        return new IncrementalAlterConfigsResponse(new IncrementalAlterConfigsResponseData().setResponses(responses));
    }

    private static AlterConfigsResourceResponse response(ConfigChanges.Outcome outcome) {
        return new AlterConfigsResourceResponse()
                .setResourceType(outcome.type())
                .setResourceName(outcome.name())
                .setErrorCode(outcome.error().error().code())
                .setErrorMessage(outcome.error().message());
    }

    /** What this API does with its resources. */
    private final class Incremental implements ConfigAlteration.Api<AlterConfigsResource> {
        private final Request request;
        private final boolean isDryRun;

        Incremental(Request request, boolean isDryRun) {
            this.request = request;
            this.isDryRun = isDryRun;
        }

        @Override
        public CompletableFuture<Map<ConfigResource, ApiError>> store(
                Map<ConfigResource, AlterConfigsResource> changes) {
            Map<ConfigResource, Map<String, Map.Entry<OpType, String>>> operations = new HashMap<>();
            changes.forEach((resource, change) -> operations.put(resource, operations(change)));
            return alteration
                    .calls()
                    .controller()
                    .incrementalAlterConfigs(
                            ControllerCalls.context(request),
                            operations,
                            isDryRun,
                            ControllerCalls.isForwarded(request));
        }

        @Override
        public Map<String, @Nullable String> values(AlterConfigsResource change, Map<String, String> stored) {
            return ProposedValues.changing(settings(change), stored);
        }

        private static Map<String, Map.Entry<OpType, String>> operations(AlterConfigsResource resource) {
            Map<String, Map.Entry<OpType, String>> operations = new HashMap<>();
            resource.configs()
                    .forEach(config -> operations.put(
                            config.name(), new SimpleEntry<>(OpType.forId(config.configOperation()), config.value())));
            return operations;
        }
    }
}
