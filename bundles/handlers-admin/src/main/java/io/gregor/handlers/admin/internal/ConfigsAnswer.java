package io.gregor.handlers.admin.internal;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
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

/**
 * Answers DescribeConfigs on a listener of one role. Immutable.
 *
 * @param authorization that of the role
 * @param description what the node knows
 */
public record ConfigsAnswer(Authorization authorization, ConfigDescription description) {
    /** Describes what the client may see; what it may not comes last. */
    public void respond(Request request) {
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
