package io.gregor.handlers.admin.internal;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeUserScramCredentialsRequestData;
import org.apache.kafka.common.message.DescribeUserScramCredentialsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsRequest;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;

/**
 * The answer to DescribeUserScramCredentials in either role: who has which credentials, never what they are. Immutable.
 *
 * @param authorization of the role
 * @param metadata where the credentials are
 */
public record ScramDescription(Authorization authorization, ServedMetadata metadata) {
    /**
     * Describes, if the client may describe the cluster. A question for all users that is refused has its own answer: the
     * error response of Kafka's class needs names.
     */
    public void respond(Request request) {
        DescribeUserScramCredentialsRequestData asked =
                request.body(DescribeUserScramCredentialsRequest.class).data();
        if (authorization.isAllowed(
                request.context(), AclOperation.DESCRIBE, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            request.respond(
                    new DescribeUserScramCredentialsResponse(metadata.cache().describeScramCredentials(asked)));
        } else if (asked.users() == null) {
            request.respond(new DescribeUserScramCredentialsResponse(new DescribeUserScramCredentialsResponseData()
                    .setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code())
                    .setErrorMessage(Errors.CLUSTER_AUTHORIZATION_FAILED.message())));
        } else {
            request.respondError(Errors.CLUSTER_AUTHORIZATION_FAILED.exception());
        }
    }
}
