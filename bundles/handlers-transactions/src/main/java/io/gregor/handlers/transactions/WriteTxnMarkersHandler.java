package io.gregor.handlers.transactions;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.transactions.TransactionMarkers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/**
 * Shared: handler threads. WriteTxnMarkers: ends transactions in partitions led here, for the coordinators of other brokers and
 * for administrators who abort a transaction that hangs (KIP-664).
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 27)
public final class WriteTxnMarkersHandler implements RequestHandler {
    private final TransactionMarkers markers;
    private final Authorization authorization;

    /** Has these markers appended. */
    @Activate
    public WriteTxnMarkersHandler(
            @Reference(target = "(role=broker)") TransactionMarkers markers,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.markers = markers;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        requireRight(request.context());
        List<TxnMarkerEntry> asked = request.body(WriteTxnMarkersRequest.class).markers();
        List<CompletableFuture<Map<TopicPartition, Errors>>> results = new ArrayList<>(asked.size());
        asked.forEach(marker -> results.add(markers.append(marker)));
        var unused = CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
                .thenRun(() -> request.respond(answer(asked, results)))
                .exceptionally(fault -> {
                    request.respondError(Errors.maybeUnwrapException(fault));
                    return null;
                });
    }

    /** Administrators may by ALTER, of which nothing is logged when it is denied: brokers, the usual askers, have the other. */
    private void requireRight(RequestContext who) {
        if (!authorization.isAllowed(
                who, AclOperation.ALTER, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false)) {
            authorization.requireCluster(who, AclOperation.CLUSTER_ACTION);
        }
    }

    private static WriteTxnMarkersResponse answer(
            List<TxnMarkerEntry> asked, List<CompletableFuture<Map<TopicPartition, Errors>>> results) {
        Map<Long, Map<TopicPartition, Errors>> errors = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            errors.computeIfAbsent(asked.get(i).producerId(), producer -> new HashMap<>())
                    .putAll(results.get(i).join());
        }
        return new WriteTxnMarkersResponse(errors);
    }
}
