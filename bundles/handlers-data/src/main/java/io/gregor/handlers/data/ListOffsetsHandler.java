package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.data.internal.LateAnswer;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.OffsetQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
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

/**
 * Shared: handler threads. Finds offsets by timestamp, and the first and last ones. A search in remote storage is answered when it
 * has ended.
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 2)
public final class ListOffsetsHandler implements RequestHandler {
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
        Map<String, ListOffsetsTopicResponse> answers = new LinkedHashMap<>();
        List<OffsetQuery> asked = new ArrayList<>();
        for (ListOffsetsTopic topic : lookUp.topics()) {
            boolean isAllowed = isAllowed(request.context(), topic.name());
            for (ListOffsetsPartition partition : topic.partitions()) {
                TopicPartition topicPartition = new TopicPartition(topic.name(), partition.partitionIndex());
                Errors error = isAllowed ? error(lookUp, topicPartition, partition) : Errors.TOPIC_AUTHORIZATION_FAILED;
                if (error == Errors.NONE) {
                    asked.add(new OffsetQuery(topicPartition, partition.timestamp(), partition.currentLeaderEpoch()));
                } else {
                    add(answers, topic.name(), List.of(refusal(partition, error)));
                }
            }
        }
        replicas.findOffsets(
                asked,
                isolation(lookUp),
                lookUp.replicaId() != ListOffsetsRequest.DEBUGGING_REPLICA_ID,
                lookUp.version(),
                lookUp.timeoutMs(),
                found -> respond(request, answers, found));
    }

    private static void respond(
            Request request,
            Map<String, ListOffsetsTopicResponse> answers,
            Collection<ListOffsetsTopicResponse> found) {
        try {
            found.forEach(topic -> add(answers, topic.name(), topic.partitions()));
            request.respond(
                    new ListOffsetsResponse(new ListOffsetsResponseData().setTopics(List.copyOf(answers.values()))));
        } catch (RuntimeException e) {
            LateAnswer.failed(request, e);
        }
    }

    private static void add(
            Map<String, ListOffsetsTopicResponse> answers,
            String topic,
            List<ListOffsetsPartitionResponse> partitions) {
        answers.computeIfAbsent(topic, name -> new ListOffsetsTopicResponse().setName(name))
                .partitions()
                .addAll(partitions);
    }

    private boolean isAllowed(RequestContext who, String topic) {
        return authorization.isOpen() || authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, topic);
    }

    private static Errors error(
            ListOffsetsRequest request, TopicPartition topicPartition, ListOffsetsPartition partition) {
        if (request.duplicatePartitions().contains(topicPartition)) {
            return Errors.INVALID_REQUEST;
        }
        return partition.timestamp() < 0 && !isKnown(partition.timestamp(), request.version())
                ? Errors.UNSUPPORTED_VERSION
                : Errors.NONE;
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

    private static ListOffsetsPartitionResponse refusal(ListOffsetsPartition partition, Errors error) {
        return new ListOffsetsPartitionResponse()
                .setPartitionIndex(partition.partitionIndex())
                .setErrorCode(error.code())
                .setTimestamp(ListOffsetsResponse.UNKNOWN_TIMESTAMP)
                .setOffset(ListOffsetsResponse.UNKNOWN_OFFSET);
    }
}
