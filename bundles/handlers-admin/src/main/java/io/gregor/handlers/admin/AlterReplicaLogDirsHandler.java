package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.replication.LogDirMoves;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterReplicaLogDirsRequest;
import org.apache.kafka.common.requests.AlterReplicaLogDirsResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** AlterReplicaLogDirs: partitions of this broker go into other log directories (KIP-113). Immutable. */
@Component
@ServesApi(api_key = 34)
public final class AlterReplicaLogDirsHandler implements RequestHandler {
    private final Authorization authorization;
    private final LogDirMoves moves;

    /** Made by the service registry. */
    @Activate
    public AlterReplicaLogDirsHandler(
            @Reference(target = "(role=broker)") Authorization authorization, @Reference LogDirMoves moves) {
        this.authorization = authorization;
        this.moves = moves;
    }

    @Override
    public void handle(Request request) {
        AlterReplicaLogDirsRequest asked = request.body(AlterReplicaLogDirsRequest.class);
        if (authorization.isAllowed(
                request.context(), AclOperation.ALTER, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            request.respond(answer(moves.alter(asked.partitionDirs())));
        } else {
            request.respond(asked.getErrorResponse(0, Errors.CLUSTER_AUTHORIZATION_FAILED.exception()));
        }
    }

    private static AlterReplicaLogDirsResponse answer(Map<TopicPartition, Errors> outcomes) {
        Map<String, AlterReplicaLogDirTopicResult> topics = new LinkedHashMap<>();
        outcomes.forEach((partition, error) -> topics.computeIfAbsent(
                        partition.topic(), name -> new AlterReplicaLogDirTopicResult().setTopicName(name))
                .partitions()
                .add(new AlterReplicaLogDirPartitionResult()
                        .setPartitionIndex(partition.partition())
                        .setErrorCode(error.code())));
        return new AlterReplicaLogDirsResponse(
                new AlterReplicaLogDirsResponseData().setResults(List.copyOf(topics.values())));
    }
}
