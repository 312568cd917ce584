package io.gregor.handlers.transactions;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.transactions.internal.CommittableOffsets;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/**
 * Shared: handler threads. TxnOffsetCommit: what may not be committed is answered here, the rest is the group coordinator's,
 * which has the transaction verified (KIP-447, KIP-890; topic ids: KIP-1319).
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 28)
public final class TxnOffsetCommitHandler implements RequestHandler {
    /** Clients before it break on a coordinator that loads. */
    private static final short KNOWS_LOADING = 2;

    private final GroupCoordinator coordinator;
    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public TxnOffsetCommitHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.metadata = metadata;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        TxnOffsetCommitRequestData data =
                request.body(TxnOffsetCommitRequest.class).data();
        Errors refusal = refusal(request.context(), data);
        if (refusal != Errors.NONE) {
            request.respondError(refusal.exception());
            return;
        }
        Set<String> readable = authorization.allowed(
                request.context(),
                AclOperation.READ,
                ResourceType.TOPIC,
                CommittableOffsets.named(data, request.apiVersion(), metadata.cache()),
                TxnOffsetCommitRequestTopic::name);
        CommittableOffsets offsets =
                CommittableOffsets.of(data, request.apiVersion(), metadata.cache(), readable::contains);
        if (offsets.topics().isEmpty()) {
            request.respond(offsets.answer().build());
        } else {
            commit(request, data.duplicate().setTopics(offsets.topics()), offsets.answer());
        }
    }

    /** The producer id needs no right of its own: it is the transactional id's. */
    private Errors refusal(RequestContext who, TxnOffsetCommitRequestData data) {
        if (!authorization.isAllowed(who, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, data.transactionalId())) {
            return Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        }
        return authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, data.groupId())
                ? Errors.NONE
                : Errors.GROUP_AUTHORIZATION_FAILED;
    }

    private void commit(Request request, TxnOffsetCommitRequestData data, TxnOffsetCommitResponse.Builder answer) {
        var unused = coordinator
                .commitTransactionalOffsets(
                        request.context(), data, request.local().bufferSupplier())
                .thenAccept(committed -> {
                    TxnOffsetCommitResponse response = answer.merge(committed).build();
                    request.respond(request.apiVersion() < KNOWS_LOADING ? withoutLoading(response) : response);
                })
                .exceptionally(fault -> {
                    request.respondError(Errors.maybeUnwrapException(fault));
                    return null;
                });
    }

    private static TxnOffsetCommitResponse withoutLoading(TxnOffsetCommitResponse response) {
        response.data().topics().forEach(topic -> topic.partitions().stream()
                .filter(partition -> partition.errorCode() == Errors.COORDINATOR_LOAD_IN_PROGRESS.code())
                .forEach(partition -> partition.setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code())));
        return response;
    }
}
