package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.ProducerIds;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/**
 * Shared: handler threads. Gives idempotent producers their ids. A transactional id is refused with UNSUPPORTED_VERSION:
 * there is no transaction coordinator here, and an error that clients retry would leave them waiting for one.
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 22)
public final class InitProducerIdHandler implements RequestHandler {
    private final ProducerIds ids;
    private final Authorization authorization;

    /** Hands out these ids. */
    @Activate
    public InitProducerIdHandler(
            @Reference ProducerIds ids, @Reference(target = "(role=broker)") Authorization authorization) {
        this.ids = ids;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        InitProducerIdRequestData data =
                request.body(InitProducerIdRequest.class).data();
        Errors refusal = refusal(request.context(), data);
        if (refusal == Errors.NONE) {
            request.respond(new InitProducerIdResponse(
                    new InitProducerIdResponseData().setProducerId(ids.next()).setProducerEpoch((short) 0)));
        } else {
            request.respondError(refusal.exception());
        }
    }

    private Errors refusal(RequestContext who, InitProducerIdRequestData data) {
        String transactionalId = data.transactionalId();
        if (transactionalId != null) {
            return authorization.isAllowed(who, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, transactionalId)
                    ? Errors.UNSUPPORTED_VERSION
                    : Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        }
        if (!mayWriteIdempotently(who)) {
            return Errors.CLUSTER_AUTHORIZATION_FAILED;
        }
        boolean hasId = data.producerId() != RecordBatch.NO_PRODUCER_ID;
        boolean hasEpoch = data.producerEpoch() != RecordBatch.NO_PRODUCER_EPOCH;
        return hasId == hasEpoch ? Errors.NONE : Errors.INVALID_REQUEST;
    }

    private boolean mayWriteIdempotently(RequestContext who) {
        return authorization.isAllowed(
                        who, AclOperation.IDEMPOTENT_WRITE, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false)
                || authorization.isAllowedSomewhere(who, AclOperation.WRITE, ResourceType.TOPIC);
    }
}
