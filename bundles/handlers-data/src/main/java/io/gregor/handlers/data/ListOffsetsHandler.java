package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.FoundOffset;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Shared: handler threads. Finds offsets by timestamp, and the first and last ones. */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 2)
public final class ListOffsetsHandler implements RequestHandler {
    /** From this version on clients are told the leader epoch of the record. */
    private static final short LEADER_EPOCHS = 4;

    /** From this version on clients know that an offset may not be known yet. */
    private static final short NOT_AVAILABLE = 5;

    /** The version from which on each special timestamp may be asked for. */
    private static final Map<Long, Integer> SPECIAL_TIMESTAMPS = Map.of(
            ListOffsetsRequest.EARLIEST_TIMESTAMP, 1,
            ListOffsetsRequest.LATEST_TIMESTAMP, 1,
            ListOffsetsRequest.MAX_TIMESTAMP, 7,
            ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP, 8,
            ListOffsetsRequest.LATEST_TIERED_TIMESTAMP, 9,
            ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP, 11);

    private final Replicas replicas;
    private final Authorization authorization;

    /** Looks into these partitions. */
    @Activate
    public ListOffsetsHandler(
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.replicas = replicas;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        ListOffsetsRequest lookUp = request.body(ListOffsetsRequest.class);
        ListOffsetsResponseData answer = new ListOffsetsResponseData();
        for (ListOffsetsTopic topic : lookUp.topics()) {
            boolean isAllowed = isAllowed(request.context(), topic.name());
            ListOffsetsTopicResponse found = new ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsPartition partition : topic.partitions()) {
                found.partitions()
                        .add(
                                isAllowed
                                        ? lookUp(
                                                lookUp,
                                                new TopicPartition(topic.name(), partition.partitionIndex()),
                                                partition)
                                        : answer(partition, Errors.TOPIC_AUTHORIZATION_FAILED));
            }
            answer.topics().add(found);
        }
        request.respond(new ListOffsetsResponse(answer));
    }

    private boolean isAllowed(RequestContext who, String topic) {
        return authorization.isOpen() || authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, topic);
    }

    private ListOffsetsPartitionResponse lookUp(
            ListOffsetsRequest request, TopicPartition topicPartition, ListOffsetsPartition partition) {
        if (request.duplicatePartitions().contains(topicPartition)) {
            return answer(partition, Errors.INVALID_REQUEST);
        }
        if (partition.timestamp() < 0 && !isKnown(partition.timestamp(), request.version())) {
            return answer(partition, Errors.UNSUPPORTED_VERSION);
        }
        try {
            FoundOffset found = replicas.offsetForTimestamp(
                    topicPartition,
                    partition.timestamp(),
                    isolation(request),
                    partition.currentLeaderEpoch(),
                    request.replicaId() != ListOffsetsRequest.DEBUGGING_REPLICA_ID);
            ListOffsetsPartitionResponse answer =
                    answer(partition, Errors.NONE).setOffset(found.offset()).setTimestamp(found.timestamp());
            return request.version() < LEADER_EPOCHS ? answer : answer.setLeaderEpoch(found.leaderEpoch());
        } catch (ApiException e) {
            Errors error = Errors.forException(e);
            boolean isUnknownError = error == Errors.OFFSET_NOT_AVAILABLE && request.version() < NOT_AVAILABLE;
            return answer(partition, isUnknownError ? Errors.LEADER_NOT_AVAILABLE : error);
        }
    }

    private static boolean isKnown(long timestamp, short version) {
        Integer since = SPECIAL_TIMESTAMPS.get(timestamp);
        return since != null && version >= since;
    }

    private static FetchIsolation isolation(ListOffsetsRequest request) {
        return request.replicaId() == ListOffsetsRequest.CONSUMER_REPLICA_ID
                ? FetchIsolation.of(request.replicaId(), request.isolationLevel())
                : FetchIsolation.LOG_END;
    }

    private static ListOffsetsPartitionResponse answer(ListOffsetsPartition partition, Errors error) {
        return new ListOffsetsPartitionResponse()
                .setPartitionIndex(partition.partitionIndex())
                .setErrorCode(error.code())
                .setTimestamp(ListOffsetsResponse.UNKNOWN_TIMESTAMP)
                .setOffset(ListOffsetsResponse.UNKNOWN_OFFSET);
    }
}
