package io.gregor.handlers.transactions;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.transactions.internal.Fenced;
import io.gregor.handlers.transactions.internal.Late;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.internal.transactions.TransactionCoordinator.Ended;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.server.common.TransactionVersion;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** EndTxn: commits or aborts; from version 5 on each end gives the producer another epoch (KIP-890). Shared: handler threads. */
@Component
@ServesApi(api_key = 26, api_brief = true)
public final class EndTxnHandler implements RequestHandler {
    private static final int FENCED_SINCE = 2;
    private static final int PRODUCER_SINCE = 5;

    private final TransactionCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public EndTxnHandler(
            @Reference(target = "(role=broker)") TransactionCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        EndTxnRequest body = request.body(EndTxnRequest.class);
        EndTxnRequestData data = body.data();
        if (!authorization.isAllowed(
                request.context(), AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, data.transactionalId())) {
            request.respondError(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.exception());
            return;
        }
        Late.answer(
                request,
                coordinator.end(
                        data.transactionalId(),
                        new ProducerIdAndEpoch(data.producerId(), data.producerEpoch()),
                        data.committed() ? TransactionResult.COMMIT : TransactionResult.ABORT,
                        TransactionVersion.transactionVersionForEndTxn(body)),
                ended -> answer(request.apiVersion(), ended));
    }

    private static EndTxnResponseData answer(short version, Ended ended) {
        EndTxnResponseData answer = new EndTxnResponseData()
                .setErrorCode(Fenced.since(FENCED_SINCE, version, ended.error()).code());
        return version < PRODUCER_SINCE
                ? answer
                : answer.setProducerId(ended.producer().producerId).setProducerEpoch(ended.producer().epoch);
    }
}
