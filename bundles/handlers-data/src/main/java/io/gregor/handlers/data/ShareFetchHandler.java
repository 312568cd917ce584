package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.data.internal.ByteQuotas;
import io.gregor.handlers.data.internal.LateAnswer;
import io.gregor.handlers.data.internal.Leaders;
import io.gregor.handlers.data.internal.ShareAcknowledgements;
import io.gregor.handlers.data.internal.ShareFetchAnswer;
import io.gregor.handlers.data.internal.ShareProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.quota.ClientQuotas;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.share.SharePartitions;
import io.gregor.internal.share.SharePartitions.SessionStep;
import io.gregor.internal.share.SharePartitions.Wanted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.internals.ShareAcquireMode;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.ShareFetchRequest;
import org.apache.kafka.common.requests.ShareFetchResponse;
import org.apache.kafka.common.requests.ShareRequestMetadata;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.share.ErroneousAndValidPartitionData;
import org.apache.kafka.server.share.context.ShareFetchContext;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Shared: handler threads. Takes acknowledgements of a member of a share group in, and gives it more records (KIP-932). */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 78)
public final class ShareFetchHandler implements RequestHandler {
    /** Null while there are none. */
    @Reference(target = "(role=broker)", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable ClientQuotas quotas;

    private final SharePartitions shares;
    private final Replicas replicas;
    private final ServedMetadata metadata;
    private final ShareProtocol protocol;
    private final int maxBytes;

    /** Serves these share partitions. */
    @Activate
    public ShareFetchHandler(
            @Reference(target = "(role=broker)") SharePartitions shares,
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference NodeConfig config) {
        this.shares = shares;
        this.replicas = replicas;
        this.metadata = metadata;
        this.protocol = new ShareProtocol(metadata, authorization);
        this.maxBytes = config.values().getInt(ServerConfigs.FETCH_MAX_BYTES_CONFIG);
    }

    @Override
    public void handle(Request request) {
        ShareFetchRequest fetch = request.body(ShareFetchRequest.class);
        try {
            ShareFetchRequestData data = fetch.data();
            ShareSessionKey member = protocol.member(request.context(), data.groupId(), data.memberId());
            check(data);
            serve(request, fetch, member);
        } catch (ApiException refused) {
            request.respondError(refused);
        }
    }

    /** A request that renews acquires nothing (KIP-1222). */
    private static void check(ShareFetchRequestData data) {
        boolean wantsRecords =
                data.maxWaitMs() != 0 || data.minBytes() != 0 || data.maxBytes() != 0 || data.maxRecords() != 0;
        if (data.isRenewAck() && wantsRecords) {
            throw ShareProtocol.invalid("a request that renews has no max wait, bytes and records: maxWaitMs="
                    + data.maxWaitMs() + " minBytes=" + data.minBytes() + " maxBytes=" + data.maxBytes()
                    + " maxRecords=" + data.maxRecords());
        }
    }

    private void serve(Request request, ShareFetchRequest fetch, ShareSessionKey member) {
        ShareFetchRequestData data = fetch.data();
        RequestContext who = request.context();
        MetadataCache cache = metadata.cache();
        Map<Uuid, String> names = cache.topicIdsToNames();
        ShareAcknowledgements acknowledgements =
                ShareAcknowledgements.of(data, data.isRenewAck() && shares.isRenewable(member.groupId()), names);
        ShareFetchContext session = shares.session(new SessionStep(
                member,
                data.shareSessionEpoch(),
                fetch.shareFetchData(names),
                fetch.forgottenTopics(names),
                !acknowledgements.isEmpty(),
                who.connectionId));
        acknowledgements.keepReadable(
                protocol.readable(who, acknowledgements.batches().keySet()), cache);
        Map<TopicIdPartition, PartitionData> refused = new LinkedHashMap<>();
        List<TopicIdPartition> asked = asked(who, cache, session, refused);
        boolean isLast = data.shareSessionEpoch() == ShareRequestMetadata.FINAL_EPOCH;
        CompletableFuture<Map<TopicIdPartition, ApiError>> acknowledged =
                shares.acknowledge(member, acknowledgements.batches());
        CompletableFuture<Map<TopicIdPartition, PartitionData>> fetched = new CompletableFuture<>();
        Leaders leaders = new Leaders(replicas, cache, who.listenerName);
        fetched.thenCombine(acknowledged, (records, errors) -> {
                    if (isLast) {
                        shares.closeSession(member);
                    }
                    Map<TopicIdPartition, PartitionData> all = new LinkedHashMap<>(records);
                    all.putAll(refused);
                    Map<TopicIdPartition, ApiError> outcomes = new LinkedHashMap<>(acknowledgements.refused());
                    outcomes.putAll(errors);
                    return new ShareFetchAnswer(member, session, leaders)
                            .response(all, outcomes, shares.lockDurationMs(member.groupId()));
                })
                .whenComplete((response, fault) -> {
                    if (fault == null) {
                        respond(request, response);
                    }
                })
                .exceptionally(fault -> {
                    LateAnswer.failed(request, new IllegalStateException(fault));
                    return null;
                });
        if (isLast || data.isRenewAck() || data.maxRecords() <= 0) {
            fetched.complete(Map.of());
            return;
        }
        Runnable endOfWait = shares.fetch(wanted(data, member, who), asked, fetched::complete);
        if (endOfWait != null) {
            request.whenHurried(endOfWait);
        }
    }

    /** A member that is over its quota gets its records nevertheless, as they are its own by now, and is held back after that. */
    private void respond(Request request, ShareFetchResponse response) {
        ShareFetchAnswer.count(replicas.topicStats(), metadata.cache().topicIdsToNames(), response);
        ByteQuotas.given(quotas, request, response);
        request.respond(response);
    }

    private List<TopicIdPartition> asked(
            RequestContext who,
            MetadataCache cache,
            ShareFetchContext session,
            Map<TopicIdPartition, PartitionData> refused) {
        ErroneousAndValidPartitionData partitions = session.getErroneousAndValidTopicIdPartitions();
        refused.putAll(partitions.erroneous());
        List<TopicIdPartition> valid = partitions.validTopicIdPartitions();
        Set<String> readable = protocol.readable(who, valid);
        return valid.stream()
                .filter(partition -> {
                    Errors error = readable.contains(partition.topic())
                            ? cache.contains(partition.topicPartition())
                                    ? Errors.NONE
                                    : Errors.UNKNOWN_TOPIC_OR_PARTITION
                            : Errors.TOPIC_AUTHORIZATION_FAILED;
                    if (error != Errors.NONE) {
                        refused.put(
                                partition,
                                new PartitionData()
                                        .setPartitionIndex(partition.partition())
                                        .setErrorCode(error.code()));
                    }
                    return error == Errors.NONE;
                })
                .toList();
    }

    private Wanted wanted(ShareFetchRequestData data, ShareSessionKey member, RequestContext who) {
        int atMost = Math.min(Math.min(data.maxBytes(), maxBytes), ByteQuotas.mostToFetch(quotas, who));
        return new Wanted(
                member,
                data.shareSessionEpoch(),
                data.maxWaitMs(),
                Math.min(data.minBytes(), atMost),
                atMost,
                data.maxRecords(),
                data.batchSize(),
                ShareAcquireMode.forId(data.shareAcquireMode()));
    }
}
