package io.gregor.handlers.transactions;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.transactions.internal.Late;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.ListTransactionsResponseData.TransactionState;
import org.apache.kafka.common.requests.ListTransactionsRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ListTransactions (KIP-664): those of the transactions of this coordinator that may be described. Shared: handler threads. */
@Component
@ServesApi(api_key = 66, api_brief = true)
public final class ListTransactionsHandler implements RequestHandler {
    private final TransactionCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public ListTransactionsHandler(
            @Reference(target = "(role=broker)") TransactionCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        Late.answer(
                request,
                coordinator.list(request.body(ListTransactionsRequest.class).data()),
                listed -> visible(request.context(), listed));
    }

    private ListTransactionsResponseData visible(RequestContext who, ListTransactionsResponseData listed) {
        Set<String> ids = authorization.allowed(
                who,
                AclOperation.DESCRIBE,
                ResourceType.TRANSACTIONAL_ID,
                listed.transactionStates(),
                TransactionState::transactionalId);
        return listed.setTransactionStates(listed.transactionStates().stream()
                .filter(state -> ids.contains(state.transactionalId()))
                .toList());
    }
}
