package io.gregor.handlers.transactions;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.transactions.internal.Fenced;
import io.gregor.handlers.transactions.internal.Late;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.InitProducerIdResult;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** InitProducerId: ids and epochs of producers, idempotent and transactional (KIP-98, KIP-360, KIP-939). Shared: handler threads. */
@Component
@ServesApi(api_key = 22, api_brief = true)
public final class InitProducerIdHandler implements RequestHandler {
    private static final int FENCED_SINCE = 4;

    private final TransactionCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public InitProducerIdHandler(
            @Reference(target = "(role=broker)") TransactionCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        InitProducerIdRequestData data =
                request.body(InitProducerIdRequest.class).data();
        Errors refusal = refusal(request.context(), data);
        if (refusal != Errors.NONE) {
            request.respondError(refusal.exception());
            return;
        }
        Optional<ProducerIdAndEpoch> expected = data.producerId() == RecordBatch.NO_PRODUCER_ID
                ? Optional.empty()
                : Optional.of(new ProducerIdAndEpoch(data.producerId(), data.producerEpoch()));
        Late.answer(
                request,
                coordinator.initProducerId(
                        data.transactionalId(),
                        data.transactionTimeoutMs(),
                        data.enable2Pc(),
                        data.keepPreparedTxn(),
                        expected),
                result -> answer(request.apiVersion(), result));
    }

    private static InitProducerIdResponseData answer(short version, InitProducerIdResult result) {
        return new InitProducerIdResponseData()
                .setProducerId(result.producerId())
                .setProducerEpoch(result.producerEpoch())
                .setErrorCode(
                        Fenced.since(FENCED_SINCE, version, result.error()).code());
    }

    private Errors refusal(RequestContext who, InitProducerIdRequestData data) {
        String transactionalId = data.transactionalId();
        if (transactionalId == null) {
            if (!mayWriteIdempotently(who)) {
                return Errors.CLUSTER_AUTHORIZATION_FAILED;
            }
        } else if (!may(who, AclOperation.WRITE, transactionalId)
                || (data.enable2Pc() && !may(who, AclOperation.TWO_PHASE_COMMIT, transactionalId))) {
            return Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        }
        boolean hasId = data.producerId() != RecordBatch.NO_PRODUCER_ID;
        boolean hasEpoch = data.producerEpoch() != RecordBatch.NO_PRODUCER_EPOCH;
        return hasId == hasEpoch ? Errors.NONE : Errors.INVALID_REQUEST;
    }

    private boolean may(RequestContext who, AclOperation operation, String transactionalId) {
        return authorization.isAllowed(who, operation, ResourceType.TRANSACTIONAL_ID, transactionalId);
    }

    private boolean mayWriteIdempotently(RequestContext who) {
        return authorization.isAllowed(
                        who, AclOperation.IDEMPOTENT_WRITE, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false)
                || authorization.isAllowedSomewhere(who, AclOperation.WRITE, ResourceType.TOPIC);
    }
}
