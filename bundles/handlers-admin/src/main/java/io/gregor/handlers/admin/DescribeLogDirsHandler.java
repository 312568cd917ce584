package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.LogDirectory;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.storage.Logs;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeLogDirsRequest;
import org.apache.kafka.common.requests.DescribeLogDirsResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeLogDirs: the log directories of this broker, their space and the size of each partition. Immutable. */
@Component
@ServesApi(api_key = 35)
public final class DescribeLogDirsHandler implements RequestHandler {
    private final NodeConfig config;
    private final Authorization authorization;
    private final ServedMetadata metadata;
    private final Logs logs;
    private final Replicas replicas;

    /** Made by the service registry. */
    @Activate
    public DescribeLogDirsHandler(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference Logs logs,
            @Reference Replicas replicas) {
        this.config = config;
        this.authorization = authorization;
        this.metadata = metadata;
        this.logs = logs;
        this.replicas = replicas;
    }

    @Override
    public void handle(Request request) {
        DescribeLogDirsResponseData answer = new DescribeLogDirsResponseData();
        if (authorization.isAllowed(
                request.context(), AclOperation.DESCRIBE, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            answer.setResults(describe(wanted(request.body(DescribeLogDirsRequest.class))));
        } else {
            answer.setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code());
        }
        request.respond(new DescribeLogDirsResponse(answer));
    }

    private List<DescribeLogDirsResult> describe(Predicate<TopicPartition> wanted) {
        Set<String> cordoned = metadata.cache().metadataVersion().isCordonedLogDirsSupported()
                ? logs.manager().cordonedLogDirs()
                : Set.of();
        Map<String, List<UnifiedLog>> byDirectory = logs.manager().allLogs().stream()
                .filter(log -> wanted.test(log.topicPartition()))
                .collect(Collectors.groupingBy(UnifiedLog::parentDir));
        return config.logDirs().stream()
                .map(Path::toAbsolutePath)
                .distinct()
                .map(path -> new LogDirectory(
                                path,
                                logs.manager()::isLogDirOnline,
                                byDirectory.getOrDefault(path.toString(), List.of()),
                                replicas::log)
                        .describe()
                        .setIsCordoned(cordoned.contains(path.toString())))
                .toList();
    }

    private static Predicate<TopicPartition> wanted(DescribeLogDirsRequest asked) {
        if (asked.isAllTopicPartitions()) {
            return partition -> true;
        }
        Set<TopicPartition> partitions = new HashSet<>();
        asked.data().topics().forEach(topic -> topic.partitions()
                .forEach(partition -> partitions.add(new TopicPartition(topic.topic(), partition))));
        return partitions::contains;
    }
}
