package io.gregor.controller.internal;

import io.gregor.internal.dispatch.Authorization;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Says whose settings a client may change. Immutable.
 *
 * @param authorization the role's authorizer
 * @param who the client
 */
public record ConfigRights(Authorization authorization, RequestContext who) {
    /** The error for a resource, or none. */
    public ApiError check(ConfigResource resource) {
        return switch (resource.type()) {
            case BROKER, CLIENT_METRICS ->
                require(ResourceType.CLUSTER, Resource.CLUSTER_NAME, Errors.CLUSTER_AUTHORIZATION_FAILED);
            case TOPIC -> require(ResourceType.TOPIC, resource.name(), Errors.TOPIC_AUTHORIZATION_FAILED);
            case GROUP -> require(ResourceType.GROUP, resource.name(), Errors.GROUP_AUTHORIZATION_FAILED);
            default -> new ApiError(Errors.INVALID_REQUEST, "Unexpected resource type " + resource.type() + ".");
        };
    }

    private ApiError require(ResourceType type, String name, Errors refusal) {
        return authorization.isAllowed(who, AclOperation.ALTER_CONFIGS, type, name)
                ? ApiError.NONE
                : new ApiError(refusal);
    }
}
