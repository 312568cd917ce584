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
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Changes single settings of resources; log levels are refused. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 44, role = "controller", api_brief = true)
public final class IncrementalAlterConfigsHandler implements RequestHandler {
    private final ControllerCalls calls;
    private final String nodeId;

    /** Asks the controller through these calls. */
    @Activate
    public IncrementalAlterConfigsHandler(@Reference ControllerCalls calls, @Reference NodeConfig config) {
        this.calls = calls;
        nodeId = Integer.toString(config.nodeId());
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
                .map(resource -> refuseLoggers(request, resource))
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

    private ConfigChanges.Outcome refuseLoggers(Request request, AlterConfigsResource resource) {
        String node = resource.resourceName();
        ApiError refusal;
        if (!calls.authorization()
                .isAllowed(
                        request.context(), AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            refusal = new ApiError(Errors.CLUSTER_AUTHORIZATION_FAILED);
        } else if (!node.equals(nodeId)) {
            refusal = invalid("Unexpected node id. Expected " + nodeId + ", but received " + node);
        } else {
            refusal = invalid("log levels cannot be changed while the node runs yet: node=" + node
                    + ", set them in the logging configuration");
        }
        return new ConfigChanges.Outcome(resource.resourceType(), node, refusal);
    }

    private static ApiError invalid(String message) {
        return new ApiError(Errors.INVALID_REQUEST, message);
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
