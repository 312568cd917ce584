package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.ConfigKey;
import io.gregor.handlers.admin.internal.ConfigOutcome;
import io.gregor.handlers.admin.internal.ConfigScreening;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.NodeConfig;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * AlterConfigs: replaces all settings of a resource. What this broker cannot refuse goes to the controller, which stores
 * it. Immutable.
 */
@Component
@ServesApi(api_key = 33, api_brief = true)
public final class AlterConfigsHandler implements RequestHandler {
    private final NodeConfig config;
    private final Authorization authorization;
    private final Forwarding forwarding;

    /** Made by the service registry. */
    @Activate
    public AlterConfigsHandler(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference Forwarding forwarding) {
        this.config = config;
        this.authorization = authorization;
        this.forwarding = forwarding;
    }

    @Override
    public void handle(Request request) {
        AlterConfigsRequestData asked = request.body(AlterConfigsRequest.class).data();
        ConfigOutcome<AlterConfigsResource> outcome = new ConfigScreening(
                        config.nodeId(),
                        false,
                        () -> authorization.isAllowed(
                                request.context(),
                                AclOperation.ALTER_CONFIGS,
                                ResourceType.CLUSTER,
                                Resource.CLUSTER_NAME))
                .screen(asked.resources(), AlterConfigsHandler::change);
        AlterConfigsRequestData rest = new AlterConfigsRequestData().setValidateOnly(asked.validateOnly());
        asked.resources().stream().filter(outcome::isOpen).forEach(resource -> rest.resources()
                .mustAdd(resource.duplicate()));
        if (rest.resources().isEmpty()) {
            request.respond(answer(asked, outcome));
            return;
        }
        forwarding.forward(
                request,
                new AlterConfigsRequest(rest, request.apiVersion()),
                response -> response.ifPresentOrElse(
                        stored -> {
                            collect(stored, outcome);
                            request.respond(answer(asked, outcome));
                        },
                        request::closeConnection));
    }

    private static ConfigScreening.Change change(AlterConfigsResource resource) {
        List<String> keys =
                resource.configs().stream().map(AlterableConfig::name).toList();
        List<String> valueless = resource.configs().stream()
                .filter(setting -> setting.value() == null)
                .map(AlterableConfig::name)
                .toList();
        return new ConfigScreening.Change(resource.resourceType(), resource.resourceName(), keys, valueless);
    }

    private static void collect(AbstractResponse stored, ConfigOutcome<AlterConfigsResource> outcome) {
        for (AlterConfigsResourceResponse one :
                ((AlterConfigsResponse) stored).data().responses()) {
            outcome.stored(new ConfigKey(one.resourceType(), one.resourceName()), one.errorCode(), one.errorMessage());
        }
    }

    private static AlterConfigsResponse answer(
            AlterConfigsRequestData asked, ConfigOutcome<AlterConfigsResource> outcome) {
        AlterConfigsResponseData answer = new AlterConfigsResponseData();
        for (AlterConfigsResource resource : asked.resources()) {
            ApiError error = outcome.of(resource, new ConfigKey(resource.resourceType(), resource.resourceName()));
            answer.responses()
                    .add(new AlterConfigsResourceResponse()
                            .setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName())
                            .setErrorCode(error.error().code())
                            .setErrorMessage(error.message()));
        }
        return new AlterConfigsResponse(answer);
    }
}
