package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.CoordinatorLookup;
import io.gregor.handlers.groups.internal.CoordinatorLookup.Found;
import io.gregor.internal.broker.AutoTopics;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.List;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** FindCoordinator: of one key, or of several from version 4 on (KIP-699). */
@Component
@ServesApi(api_key = 10)
public final class FindCoordinatorHandler implements RequestHandler {
    private static final short BATCH_MIN_VERSION = 4;

    private final CoordinatorLookup lookup;

    /** Serves from the metadata of this broker. */
    @Activate
    public FindCoordinatorHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ShareCoordinator shares,
            @Reference(target = "(role=broker)") TransactionCoordinator transactions,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference AutoTopics autoTopics,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.lookup = new CoordinatorLookup(coordinator, shares, transactions, metadata, autoTopics, authorization);
    }

    @Override
    public void handle(Request request) {
        FindCoordinatorRequestData data =
                request.body(FindCoordinatorRequest.class).data();
        if (request.apiVersion() < BATCH_MIN_VERSION) {
            one(request, data);
        } else {
            batch(request, data);
        }
    }

    private void one(Request request, FindCoordinatorRequestData data) {
        Found found = lookup.find(request.context(), data.keyType(), data.key());
        if (found.error() != Errors.NONE) {
            request.respondError(found.error().exception());
            return;
        }
        Node node = found.node();
        request.respond(new FindCoordinatorResponseData()
                .setErrorMessage(Errors.NONE.message())
                .setNodeId(node.id())
                .setHost(node.host())
                .setPort(node.port()));
    }

    private void batch(Request request, FindCoordinatorRequestData data) {
        List<Coordinator> coordinators = data.coordinatorKeys().stream()
                .map(key -> coordinator(key, lookup.find(request.context(), data.keyType(), key)))
                .toList();
        request.respond(new FindCoordinatorResponseData().setCoordinators(coordinators));
    }

    private static Coordinator coordinator(String key, Found found) {
        Node node = found.node();
        return new Coordinator()
                .setKey(key)
                .setErrorCode(found.error().code())
                .setErrorMessage(found.message())
                .setNodeId(node.id())
                .setHost(node.host())
                .setPort(node.port());
    }
}
