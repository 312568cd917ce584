package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.replication.Replicas;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeProducersRequest;
import org.apache.kafka.common.requests.DescribeProducersResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.MetadataCache;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Shared: handler threads. Shows the producers that the leader of a partition knows (KIP-664). */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 61)
public final class DescribeProducersHandler implements RequestHandler {
    private final Replicas replicas;
    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Looks into these partitions. */
    @Activate
    public DescribeProducersHandler(
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.replicas = replicas;
        this.metadata = metadata;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        DescribeProducersResponseData answer = new DescribeProducersResponseData();
        for (TopicRequest topic :
                request.body(DescribeProducersRequest.class).data().topics()) {
            TopicResponse producers = new TopicResponse().setName(topic.name());
            for (int partition : topic.partitionIndexes()) {
                producers.partitions().add(describe(request.context(), topic.name(), partition));
            }
            answer.topics().add(producers);
        }
        request.respond(new DescribeProducersResponse(answer));
    }

    private PartitionResponse describe(RequestContext who, String topic, int partition) {
        TopicPartition topicPartition = new TopicPartition(topic, partition);
        MetadataCache cache = metadata.cache();
        if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.TOPIC, topic)) {
            return refused(partition, Errors.TOPIC_AUTHORIZATION_FAILED);
        }
        try {
            Topic.validate(topic);
        } catch (InvalidTopicException invalid) {
            return refused(partition, Errors.INVALID_TOPIC_EXCEPTION).setErrorMessage(invalid.getMessage());
        }
        return cache.contains(topicPartition)
                ? replicas.activeProducers(topicPartition)
                : refused(partition, Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    private static PartitionResponse refused(int partition, Errors error) {
        return new PartitionResponse()
                .setPartitionIndex(partition)
                .setErrorCode(error.code())
                .setErrorMessage(error.message());
    }
}
