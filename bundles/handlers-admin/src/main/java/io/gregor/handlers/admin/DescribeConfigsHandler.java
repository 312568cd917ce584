package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.ConfigDescription;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsRequest;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeConfigs: the configuration of topics, of this broker, of groups and of client metrics. Immutable. */
@Component
@ServesApi(api_key = 32)
public final class DescribeConfigsHandler implements RequestHandler {
    private final Authorization authorization;
    private final ConfigDescription description;

    /** Made by the service registry. */
    @Activate
    public DescribeConfigsHandler(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference(target = "(role=broker)") ServedMetadata metadata) {
        this.authorization = authorization;
        this.description = new ConfigDescription(config, metadata::cache);
    }

    @Override
    public void handle(Request request) {
        DescribeConfigsRequestData asked =
                request.body(DescribeConfigsRequest.class).data();
        List<DescribeConfigsResult> described = new ArrayList<>();
        List<DescribeConfigsResult> denied = new ArrayList<>();
        for (DescribeConfigsResource resource : asked.resources()) {
            if (isAllowed(request.context(), resource)) {
                described.add(description.describe(resource, asked.includeSynonyms(), asked.includeDocumentation()));
            } else {
                denied.add(denied(resource));
            }
        }
        described.addAll(denied);
        request.respond(new DescribeConfigsResponse(new DescribeConfigsResponseData().setResults(described)));
    }

    private boolean isAllowed(RequestContext who, DescribeConfigsResource resource) {
        return switch (typeOf(resource)) {
            case BROKER, BROKER_LOGGER, CLIENT_METRICS ->
                authorization.isAllowed(
                        who, AclOperation.DESCRIBE_CONFIGS, ResourceType.CLUSTER, Resource.CLUSTER_NAME);
            case TOPIC ->
                authorization.isAllowed(
                        who, AclOperation.DESCRIBE_CONFIGS, ResourceType.TOPIC, resource.resourceName());
            case GROUP ->
                authorization.isAllowed(
                        who, AclOperation.DESCRIBE_CONFIGS, ResourceType.GROUP, resource.resourceName());
            case UNKNOWN -> throw unexpected(resource);
        };
    }

    private static DescribeConfigsResult denied(DescribeConfigsResource resource) {
        Errors error =
                switch (typeOf(resource)) {
                    case BROKER, BROKER_LOGGER, CLIENT_METRICS -> Errors.CLUSTER_AUTHORIZATION_FAILED;
                    case TOPIC -> Errors.TOPIC_AUTHORIZATION_FAILED;
                    case GROUP -> Errors.GROUP_AUTHORIZATION_FAILED;
                    case UNKNOWN -> throw unexpected(resource);
                };
        return new DescribeConfigsResult()
                .setErrorCode(error.code())
                .setErrorMessage(error.message())
                .setResourceName(resource.resourceName())
                .setResourceType(resource.resourceType());
    }

    private static ConfigResource.Type typeOf(DescribeConfigsResource resource) {
        return ConfigResource.Type.forId(resource.resourceType());
    }

    private static InvalidRequestException unexpected(DescribeConfigsResource resource) {
        return new InvalidRequestException(
                "Unexpected resource type " + typeOf(resource) + " for resource " + resource.resourceName());
    }
}
