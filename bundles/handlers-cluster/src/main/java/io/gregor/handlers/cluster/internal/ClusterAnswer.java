package io.gregor.handlers.cluster.internal;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.EndpointType;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBrokerCollection;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.DescribeClusterResponse;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Immutable. What both roles do to answer DescribeCluster (KIP-700, KIP-919): each tells the nodes of its own kind only.
 *
 * @param own the kind of node that is told here
 * @param clusterId the cluster's id
 * @param authorization of the role
 */
public record ClusterAnswer(EndpointType own, String clusterId, Authorization authorization) {
    /** Answers one request; the nodes are looked up if they are to be told. */
    public void respond(Request request, Supplier<DescribeClusterBrokerCollection> nodes, IntSupplier controllerId) {
        DescribeClusterRequestData asked =
                request.body(DescribeClusterRequest.class).data();
        EndpointType wanted = EndpointType.fromId(asked.endpointType());
        if (wanted == EndpointType.UNKNOWN) {
            refuse(request, Errors.UNSUPPORTED_ENDPOINT_TYPE, "Unsupported endpoint type " + asked.endpointType());
        } else if (wanted != own) {
            refuse(
                    request,
                    Errors.MISMATCHED_ENDPOINT_TYPE,
                    "The request was sent to an endpoint of type " + own + ", but we wanted an endpoint of type "
                            + wanted);
        } else {
            DescribeClusterBrokerCollection told = nodes.get();
            int controller = controllerId.getAsInt();
            request.respond(new DescribeClusterResponse(new DescribeClusterResponseData()
                    .setClusterId(clusterId)
                    .setControllerId(told.find(controller) == null ? MetadataResponse.NO_CONTROLLER_ID : controller)
                    .setClusterAuthorizedOperations(operations(request, asked))
                    .setBrokers(told)
                    .setEndpointType(own.id())));
        }
    }

    /** Version 0 does not know the errors of endpoint types. */
    private static void refuse(Request request, Errors error, String message) {
        request.respond(new DescribeClusterResponse(new DescribeClusterResponseData()
                .setErrorCode(request.apiVersion() == 0 ? Errors.INVALID_REQUEST.code() : error.code())
                .setErrorMessage(message)));
    }

    private int operations(Request request, DescribeClusterRequestData asked) {
        if (!asked.includeClusterAuthorizedOperations()) {
            return MetadataResponse.AUTHORIZED_OPERATIONS_OMITTED;
        }
        return authorization.isAllowed(
                        request.context(), AclOperation.DESCRIBE, ResourceType.CLUSTER, Resource.CLUSTER_NAME)
                ? authorization.allowedOperations(request.context(), ResourceType.CLUSTER, Resource.CLUSTER_NAME)
                : 0;
    }
}
