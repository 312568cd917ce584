package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsRequest;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeUserScramCredentials: who has which, never what they are (KIP-554). Immutable. */
@Component
@ServesApi(api_key = 50)
public final class DescribeUserScramCredentialsHandler implements RequestHandler {
    private final Authorization authorization;
    private final ServedMetadata metadata;

    /** Made by the service registry. */
    @Activate
    public DescribeUserScramCredentialsHandler(
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference(target = "(role=broker)") ServedMetadata metadata) {
        this.authorization = authorization;
        this.metadata = metadata;
    }

    @Override
    public void handle(Request request) {
        authorization.requireCluster(request.context(), AclOperation.DESCRIBE);
        DescribeUserScramCredentialsRequest body = request.body(DescribeUserScramCredentialsRequest.class);
        request.respond(
                new DescribeUserScramCredentialsResponse(metadata.cache().describeScramCredentials(body.data())));
    }
}
