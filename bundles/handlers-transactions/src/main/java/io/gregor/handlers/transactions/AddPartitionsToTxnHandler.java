package io.gregor.handlers.transactions;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.transactions.internal.Fenced;
import io.gregor.handlers.transactions.internal.Late;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResultCollection;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddPartitionsToTxnRequest;
import org.apache.kafka.common.requests.AddPartitionsToTxnResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.common.TransactionVersion;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * AddPartitionsToTxn: of one transaction and of a client up to version 3; from version 4 on of several and of brokers, which
 * add, or only ask what has been added (KIP-890). Shared: handler threads.
 */
@Component
@ServesApi(api_key = 24, api_brief = true)
public final class AddPartitionsToTxnHandler implements RequestHandler {
    private static final int FENCED_SINCE = 2;
    private static final int BROKERS_SINCE = 4;

    private final TransactionCoordinator coordinator;
    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public AddPartitionsToTxnHandler(
            @Reference(target = "(role=broker)") TransactionCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.metadata = metadata;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        AddPartitionsToTxnRequest sent = request.body(AddPartitionsToTxnRequest.class);
        boolean isOfClient = request.apiVersion() < BROKERS_SINCE;
        if (!isOfClient) {
            authorization.requireCluster(request.context(), AclOperation.CLUSTER_ACTION);
        }
        AddPartitionsToTxnRequest body = isOfClient ? sent.normalizeRequest() : sent;
        Map<String, List<TopicPartition>> partitions = body.partitionsByTransaction();
        List<CompletableFuture<AddPartitionsToTxnResult>> results = new ArrayList<>();
        for (AddPartitionsToTxnTransaction transaction : body.data().transactions()) {
            String id = transaction.transactionalId();
            if (id == null) {
                throw new InvalidRequestException("Transactional ID can not be null in request.");
            }
            results.add(result(request, body, transaction, partitions.getOrDefault(id, List.of())));
        }
        Late.answer(
                request,
                CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)),
                done -> isOfClient ? ofClient(results.get(0).join()) : ofBroker(results));
    }

    private static AddPartitionsToTxnResponseData ofClient(AddPartitionsToTxnResult result) {
        return new AddPartitionsToTxnResponseData().setResultsByTopicV3AndBelow(result.topicResults());
    }

    private static AddPartitionsToTxnResponseData ofBroker(List<CompletableFuture<AddPartitionsToTxnResult>> results) {
        AddPartitionsToTxnResultCollection collection = new AddPartitionsToTxnResultCollection();
        results.forEach(result -> collection.add(result.join()));
        return new AddPartitionsToTxnResponseData().setResultsByTransaction(collection);
    }

    private CompletableFuture<AddPartitionsToTxnResult> result(
            Request request,
            AddPartitionsToTxnRequest body,
            AddPartitionsToTxnTransaction transaction,
            List<TopicPartition> partitions) {
        String id = transaction.transactionalId();
        short version = request.apiVersion();
        RequestContext who = request.context();
        if (version < BROKERS_SINCE
                && !authorization.isAllowed(who, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, id)) {
            return CompletableFuture.completedFuture(
                    body.errorResponseForTransaction(id, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED));
        }
        Map<TopicPartition, Errors> refusals = refusals(who, version, partitions);
        if (!refusals.isEmpty()) {
            return CompletableFuture.completedFuture(AddPartitionsToTxnResponse.resultForTransaction(id, refusals));
        }
        ProducerIdAndEpoch producer = new ProducerIdAndEpoch(transaction.producerId(), transaction.producerEpoch());
        if (transaction.verifyOnly()) {
            return coordinator
                    .verifyPartitions(id, producer, partitions)
                    .thenApply(errors -> AddPartitionsToTxnResponse.resultForTransaction(id, errors));
        }
        return coordinator
                .addPartitions(
                        id, producer, partitions, TransactionVersion.transactionVersionForAddPartitionsToTxn(body))
                .thenApply(error -> body.errorResponseForTransaction(id, Fenced.since(FENCED_SINCE, version, error)));
    }

    /** Empty if all partitions may be added; else one element each, as none is then. */
    private Map<TopicPartition, Errors> refusals(RequestContext who, short version, List<TopicPartition> partitions) {
        Set<String> allowed = version < BROKERS_SINCE
                ? authorization.allowed(
                        who,
                        AclOperation.WRITE,
                        ResourceType.TOPIC,
                        partitions.stream()
                                .map(TopicPartition::topic)
                                .filter(topic -> !Topic.isInternal(topic))
                                .toList(),
                        topic -> topic)
                : Set.of();
        MetadataCache cache = metadata.cache();
        Map<TopicPartition, Errors> errors = new HashMap<>();
        boolean isRefused = false;
        for (TopicPartition partition : partitions) {
            Errors error = Errors.OPERATION_NOT_ATTEMPTED;
            if (version < BROKERS_SINCE && !allowed.contains(partition.topic())) {
                error = Errors.TOPIC_AUTHORIZATION_FAILED;
            } else if (!cache.contains(partition)) {
                error = Errors.UNKNOWN_TOPIC_OR_PARTITION;
            }
            isRefused |= error != Errors.OPERATION_NOT_ATTEMPTED;
            errors.put(partition, error);
        }
        return isRefused ? errors : Map.of();
    }
}
