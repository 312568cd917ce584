package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.data.internal.LateAnswer;
import io.gregor.handlers.data.internal.Leaders;
import io.gregor.handlers.data.internal.ShareAcknowledgements;
import io.gregor.handlers.data.internal.ShareProtocol;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.KnownLeader;
import io.gregor.internal.share.SharePartitions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.ShareAcknowledgeRequest;
import org.apache.kafka.common.requests.ShareAcknowledgeResponse;
import org.apache.kafka.common.requests.ShareRequestMetadata;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Shared: handler threads. Takes acknowledgements of a member of a share group in, without a fetch (KIP-932). */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 79)
public final class ShareAcknowledgeHandler implements RequestHandler {
    private final SharePartitions shares;
    private final Replicas replicas;
    private final ServedMetadata metadata;
    private final ShareProtocol protocol;

    /** Serves these share partitions. */
    @Activate
    public ShareAcknowledgeHandler(
            @Reference(target = "(role=broker)") SharePartitions shares,
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.shares = shares;
        this.replicas = replicas;
        this.metadata = metadata;
        this.protocol = new ShareProtocol(metadata, authorization);
    }

    @Override
    public void handle(Request request) {
        ShareAcknowledgeRequestData data =
                request.body(ShareAcknowledgeRequest.class).data();
        try {
            ShareSessionKey member = protocol.member(request.context(), data.groupId(), data.memberId());
            shares.acknowledging(member, data.shareSessionEpoch());
            serve(request, data, member);
        } catch (ApiException refused) {
            request.respondError(refused);
        }
    }

    private void serve(Request request, ShareAcknowledgeRequestData data, ShareSessionKey member) {
        RequestContext who = request.context();
        MetadataCache cache = metadata.cache();
        ShareAcknowledgements acknowledgements = ShareAcknowledgements.of(
                data, data.isRenewAck() && shares.isRenewable(member.groupId()), cache.topicIdsToNames());
        acknowledgements.keepReadable(
                protocol.readable(who, acknowledgements.batches().keySet()), cache);
        Leaders leaders = new Leaders(replicas, cache, who.listenerName);
        shares.acknowledge(member, acknowledgements.batches())
                .thenAccept(errors -> {
                    if (data.shareSessionEpoch() == ShareRequestMetadata.FINAL_EPOCH) {
                        shares.closeSession(member);
                    }
                    Map<TopicIdPartition, ApiError> outcomes = new LinkedHashMap<>(acknowledgements.refused());
                    outcomes.putAll(errors);
                    request.respond(response(outcomes, leaders, shares.lockDurationMs(member.groupId())));
                })
                .exceptionally(fault -> {
                    LateAnswer.failed(request, new IllegalStateException(fault));
                    return null;
                });
    }

    private static ShareAcknowledgeResponse response(
            Map<TopicIdPartition, ApiError> outcomes, Leaders leaders, int lockDurationMs) {
        LinkedHashMap<TopicIdPartition, PartitionData> partitions = new LinkedHashMap<>();
        outcomes.forEach((partition, error) -> {
            PartitionData one = ShareAcknowledgeResponse.partitionResponse(partition, error.error())
                    .setErrorMessage(error.message());
            if (error.error() == Errors.NOT_LEADER_OR_FOLLOWER) {
                KnownLeader leader = leaders.of(partition.topicPartition());
                one.setCurrentLeader(
                        new LeaderIdAndEpoch().setLeaderId(leader.leaderId()).setLeaderEpoch(leader.leaderEpoch()));
            }
            partitions.put(partition, one);
        });
        return ShareAcknowledgeResponse.of(Errors.NONE, 0, partitions, leaders.nodes(), lockDurationMs);
    }
}
