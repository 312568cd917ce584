package io.gregor.metadata.internal;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
import java.util.function.Function;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Hands requests to Raft and answers them when Raft does, on its thread or on that of a waiting fetch's timer: turning a
 * response into bytes is cheap, the records of a fetch stay in their file. Shared: any thread.
 */
public final class RaftRequests {
    private final RaftManager<ApiMessageAndVersion> raft;
    private final Authorization authorization;

    public RaftRequests(RaftManager<ApiMessageAndVersion> raft, Authorization authorization) {
        this.raft = raft;
        this.authorization = authorization;
    }

    /** Requires an operation on the cluster, then hands the request over. Handler thread. */
    public <T extends ApiMessage> void handle(
            Request request,
            AclOperation operation,
            Class<? extends AbstractRequest> requestType,
            Class<T> responseType,
            Function<T, AbstractResponse> response) {
        RequestContext context = request.context();
        authorization.requireCluster(context, operation);
        AbstractRequest body = request.body(requestType);
        raft.handleRequest(context, context.header, body.data(), Time.SYSTEM.milliseconds())
                .thenAccept(answer -> request.respond(response.apply(responseType.cast(answer))))
                .exceptionally(fault -> {
                    request.respondError(Errors.maybeUnwrapException(fault));
                    return null;
                });
    }
}
