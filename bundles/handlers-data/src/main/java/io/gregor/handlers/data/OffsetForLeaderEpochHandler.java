package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.replication.Replicas;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/**
 * Shared: handler threads. Tells where the records of a leader epoch end, to followers and to consumers that look for a
 * truncation (KIP-320).
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 23)
public final class OffsetForLeaderEpochHandler implements RequestHandler {
    private final Replicas replicas;
    private final Authorization authorization;

    /** Looks into these partitions. */
    @Activate
    public OffsetForLeaderEpochHandler(
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.replicas = replicas;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        RequestContext who = request.context();
        boolean isBroker = authorization.isOpen()
                || authorization.isAllowed(
                        who, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false);
        OffsetForLeaderEpochResponseData answer = new OffsetForLeaderEpochResponseData();
        for (OffsetForLeaderTopic topic :
                request.body(OffsetsForLeaderEpochRequest.class).data().topics()) {
            boolean isAllowed =
                    isBroker || authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, topic.topic());
            OffsetForLeaderTopicResult result = new OffsetForLeaderTopicResult().setTopic(topic.topic());
            for (OffsetForLeaderPartition partition : topic.partitions()) {
                result.partitions().add(isAllowed ? lookUp(topic.topic(), partition) : refused(partition));
            }
            answer.topics().add(result);
        }
        request.respond(new OffsetsForLeaderEpochResponse(answer));
    }

    private EpochEndOffset lookUp(String topic, OffsetForLeaderPartition partition) {
        return replicas.endOfEpoch(
                new TopicPartition(topic, partition.partition()),
                partition.currentLeaderEpoch(),
                partition.leaderEpoch());
    }

    private static EpochEndOffset refused(OffsetForLeaderPartition partition) {
        return new EpochEndOffset()
                .setPartition(partition.partition())
                .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code());
    }
}
