package io.gregor.handlers.transactions;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.transactions.internal.Late;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTransactionsRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeTransactions (KIP-664): transactions that may be described, with those of their topics that may. Shared: handler threads. */
@Component
@ServesApi(api_key = 65, api_brief = true)
public final class DescribeTransactionsHandler implements RequestHandler {
    private final TransactionCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public DescribeTransactionsHandler(
            @Reference(target = "(role=broker)") TransactionCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        RequestContext who = request.context();
        Map<String, TransactionState> states = new LinkedHashMap<>();
        List<String> asked = new ArrayList<>();
        request.body(DescribeTransactionsRequest.class)
                .data()
                .transactionalIds()
                .forEach(id -> {
                    boolean isAllowed =
                            authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.TRANSACTIONAL_ID, id);
                    if (states.put(id, refused(id)) == null && isAllowed) {
                        asked.add(id);
                    }
                });
        Late.answer(request, coordinator.describe(asked), described -> {
            described.forEach(state -> states.put(state.transactionalId(), visible(who, state)));
            return new DescribeTransactionsResponseData().setTransactionStates(List.copyOf(states.values()));
        });
    }

    private static TransactionState refused(String transactionalId) {
        return new TransactionState()
                .setTransactionalId(transactionalId)
                .setErrorCode(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.code());
    }

    private TransactionState visible(RequestContext who, TransactionState state) {
        Set<String> topics =
                authorization.allowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, state.topics(), TopicData::topic);
        state.topics().removeIf(topic -> !topics.contains(topic.topic()));
        return state;
    }
}
