package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.requests.DescribeClientQuotasRequest;
import org.apache.kafka.common.requests.DescribeClientQuotasResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeClientQuotas: those of the metadata (KIP-546). Immutable. */
@Component
@ServesApi(api_key = 48)
public final class DescribeClientQuotasHandler implements RequestHandler {
    private final Authorization authorization;
    private final ServedMetadata metadata;

    /** Made by the service registry. */
    @Activate
    public DescribeClientQuotasHandler(
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference(target = "(role=broker)") ServedMetadata metadata) {
        this.authorization = authorization;
        this.metadata = metadata;
    }

    @Override
    public void handle(Request request) {
        authorization.requireCluster(request.context(), AclOperation.DESCRIBE_CONFIGS);
        DescribeClientQuotasRequest body = request.body(DescribeClientQuotasRequest.class);
        request.respond(new DescribeClientQuotasResponse(metadata.cache().describeClientQuotas(body.data())));
    }
}
