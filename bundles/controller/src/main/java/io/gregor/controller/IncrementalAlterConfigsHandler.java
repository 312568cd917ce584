package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.ConfigChanges;
import io.gregor.controller.internal.ConfigRights;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.logger.RuntimeLoggerManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes single settings of resources, and log levels of this node. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 44, role = "controller", api_brief = true)
public final class IncrementalAlterConfigsHandler implements RequestHandler {
    private static final Logger LOGGER = LoggerFactory.getLogger(IncrementalAlterConfigsHandler.class);

    private final ControllerCalls calls;
    private final RuntimeLoggerManager loggers;

    /** Asks the controller through these calls. */
    @Activate
    public IncrementalAlterConfigsHandler(@Reference ControllerCalls calls, @Reference NodeConfig config) {
        this.calls = calls;
        loggers = new RuntimeLoggerManager(config.nodeId(), LOGGER);
    }

    @Override
    public void handle(Request request) {
        IncrementalAlterConfigsRequestData data =
                request.body(IncrementalAlterConfigsRequest.class).data();
        ConfigChanges<Map<String, Map.Entry<OpType, String>>> changes = new ConfigChanges<>();
        List<AlterConfigsResource> loggerChanges = new ArrayList<>();
        data.resources().forEach(resource -> {
            if (resource.resourceType() == ConfigResource.Type.BROKER_LOGGER.id()) {
                loggerChanges.add(resource);
            } else {
                changes.add(resource.resourceType(), resource.resourceName(), settings(resource));
            }
        });
        changes.check(new ConfigRights(calls.authorization(), request.context())::check);
        List<ConfigChanges.Outcome> loggerOutcomes = loggerChanges.stream()
                .map(resource -> changeLoggers(request, data.validateOnly(), resource))
                .toList();
        ControllerCalls.answer(
                request,
                calls.controller()
                        .incrementalAlterConfigs(
                                ControllerCalls.context(request),
                                changes.accepted(),
                                data.validateOnly(),
                                ControllerCalls.isForwarded(request)),
                done -> response(changes.outcomes(done), loggerOutcomes));
    }

    private static Map<String, Map.Entry<OpType, String>> settings(AlterConfigsResource resource) {
        Map<String, Map.Entry<OpType, String>> settings = new HashMap<>();
        resource.configs()
                .forEach(config -> settings.put(
                        config.name(), new SimpleEntry<>(OpType.forId(config.configOperation()), config.value())));
        return settings;
    }

    private ConfigChanges.Outcome changeLoggers(Request request, boolean validateOnly, AlterConfigsResource resource) {
        boolean isAllowed = calls.authorization()
                .isAllowed(request.context(), AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME);
        ApiError outcome = ApiError.NONE;
        try {
            loggers.applyChangesForResource(isAllowed, validateOnly, resource);
        } catch (RuntimeException e) {
            ApiError fault = ApiError.fromThrowable(e);
            outcome = new ApiError(fault.error(), fault.messageWithFallback());
        }
        return new ConfigChanges.Outcome(resource.resourceType(), resource.resourceName(), outcome);
    }

    private static AbstractResponse response(
            List<ConfigChanges.Outcome> outcomes, List<ConfigChanges.Outcome> loggerOutcomes) {
        List<AlterConfigsResourceResponse> responses = new ArrayList<>();
        outcomes.forEach(outcome -> responses.add(response(outcome)));
        loggerOutcomes.forEach(outcome -> responses.add(response(outcome)));
        return new IncrementalAlterConfigsResponse(new IncrementalAlterConfigsResponseData().setResponses(responses));
    }

    private static AlterConfigsResourceResponse response(ConfigChanges.Outcome outcome) {
        return new AlterConfigsResourceResponse()
                .setResourceType(outcome.type())
                .setResourceName(outcome.name())
                .setErrorCode(outcome.error().error().code())
                .setErrorMessage(outcome.error().message());
    }
}
