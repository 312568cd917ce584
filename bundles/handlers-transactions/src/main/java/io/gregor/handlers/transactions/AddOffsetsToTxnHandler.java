package io.gregor.handlers.transactions;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.transactions.internal.Fenced;
import io.gregor.handlers.transactions.internal.Late;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddOffsetsToTxnRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.server.common.TransactionVersion;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** AddOffsetsToTxn: takes the partition of a group's offsets into a transaction. Shared: handler threads. */
@Component
@ServesApi(api_key = 25, api_brief = true)
public final class AddOffsetsToTxnHandler implements RequestHandler {
    private static final int FENCED_SINCE = 2;

    private final TransactionCoordinator coordinator;
    private final GroupCoordinator groups;
    private final Authorization authorization;

    /** Serves from these coordinators. */
    @Activate
    public AddOffsetsToTxnHandler(
            @Reference(target = "(role=broker)") TransactionCoordinator coordinator,
            @Reference(target = "(role=broker)") GroupCoordinator groups,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.groups = groups;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        AddOffsetsToTxnRequestData data =
                request.body(AddOffsetsToTxnRequest.class).data();
        Errors refusal = refusal(request.context(), data);
        if (refusal != Errors.NONE) {
            request.respondError(refusal.exception());
            return;
        }
        TopicPartition offsets =
                new TopicPartition(Topic.GROUP_METADATA_TOPIC_NAME, groups.partitionFor(data.groupId()));
        Late.answer(
                request,
                coordinator.addPartitions(
                        data.transactionalId(),
                        new ProducerIdAndEpoch(data.producerId(), data.producerEpoch()),
                        List.of(offsets),
                        TransactionVersion.TV_0),
                error -> new AddOffsetsToTxnResponseData()
                        .setErrorCode(Fenced.since(FENCED_SINCE, request.apiVersion(), error)
                                .code()));
    }

    private Errors refusal(RequestContext who, AddOffsetsToTxnRequestData data) {
        if (!authorization.isAllowed(who, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, data.transactionalId())) {
            return Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        }
        return authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, data.groupId())
                ? Errors.NONE
                : Errors.GROUP_AUTHORIZATION_FAILED;
    }
}
