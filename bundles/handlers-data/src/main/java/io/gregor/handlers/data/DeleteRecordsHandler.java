package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.data.internal.LateAnswer;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.replication.Replicas;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteRecordsRequest;
import org.apache.kafka.common.requests.DeleteRecordsResponse;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.MetadataCache;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Shared: handler threads. Deletes records before an offset. */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 21)
public final class DeleteRecordsHandler implements RequestHandler {
    private final Replicas replicas;
    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Deletes from these partitions. */
    @Activate
    public DeleteRecordsHandler(
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.replicas = replicas;
        this.metadata = metadata;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        DeleteRecordsRequestData data = request.body(DeleteRecordsRequest.class).data();
        MetadataCache cache = metadata.cache();
        Set<String> deletable = authorization.allowed(
                request.context(), AclOperation.DELETE, ResourceType.TOPIC, data.topics(), DeleteRecordsTopic::name);
        Map<TopicPartition, DeleteRecordsPartitionResult> refused = new HashMap<>();
        Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
        for (DeleteRecordsTopic topic : data.topics()) {
            for (DeleteRecordsPartition partition : topic.partitions()) {
                TopicPartition topicPartition = new TopicPartition(topic.name(), partition.partitionIndex());
                if (!deletable.contains(topic.name())) {
                    refused.put(topicPartition, refusal(partition, Errors.TOPIC_AUTHORIZATION_FAILED));
                } else if (!cache.contains(topicPartition)) {
                    refused.put(topicPartition, refusal(partition, Errors.UNKNOWN_TOPIC_OR_PARTITION));
                } else {
                    offsets.put(topicPartition, partition.offset());
                }
            }
        }
        if (offsets.isEmpty()) {
            request.respond(answer(refused, Map.of()));
        } else {
            replicas.deleteRecords(data.timeoutMs(), offsets, false, results -> respond(request, refused, results));
        }
    }

    private static void respond(
            Request request,
            Map<TopicPartition, DeleteRecordsPartitionResult> refused,
            Map<TopicPartition, DeleteRecordsPartitionResult> results) {
        try {
            request.respond(answer(refused, results));
        } catch (RuntimeException e) {
            LateAnswer.failed(request, e);
        }
    }

    private static DeleteRecordsPartitionResult refusal(DeleteRecordsPartition partition, Errors error) {
        return new DeleteRecordsPartitionResult()
                .setPartitionIndex(partition.partitionIndex())
                .setLowWatermark(DeleteRecordsResponse.INVALID_LOW_WATERMARK)
                .setErrorCode(error.code());
    }

    private static DeleteRecordsResponse answer(
            Map<TopicPartition, DeleteRecordsPartitionResult> refused,
            Map<TopicPartition, DeleteRecordsPartitionResult> results) {
        DeleteRecordsResponseData data = new DeleteRecordsResponseData();
        results.forEach((partition, result) -> add(data, partition, result));
        refused.forEach((partition, result) -> add(data, partition, result));
        return new DeleteRecordsResponse(data);
    }

    private static void add(
            DeleteRecordsResponseData data, TopicPartition partition, DeleteRecordsPartitionResult result) {
        DeleteRecordsTopicResult topic = data.topics().find(partition.topic());
        if (topic == null) {
            topic = new DeleteRecordsTopicResult().setName(partition.topic());
            data.topics().add(topic);
        }
        topic.partitions().add(result);
    }
}
