package io.gregor.handlers.groups.internal;

import io.gregor.internal.broker.StreamsTopicCreation;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.Status;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.streams.StreamsGroupHeartbeatResult;

/**
 * Creates the internal topics that a streams group misses (KIP-1071), and tells its member what hinders that: rights, or what
 * the controller said to an attempt before. Immutable.
 */
public final class StreamsTopics {
    private static final byte MISSING = StreamsGroupHeartbeatResponse.Status.MISSING_INTERNAL_TOPICS.code();
    private static final int TOLD_ERRORS = 3;

    private final StreamsTopicCreation creation;
    private final Authorization authorization;
    private final GroupConfigManager configs;
    private final int heartbeatIntervalMs;

    /** Creates by the broker. */
    public StreamsTopics(
            StreamsTopicCreation creation, Authorization authorization, GroupConfigManager configs, NodeConfig config) {
        this.creation = creation;
        this.authorization = authorization;
        this.configs = configs;
        this.heartbeatIntervalMs = new GroupCoordinatorConfig(config.values()).streamsGroupHeartbeatIntervalMs();
    }

    /** Starts the creation of what is missing, and completes the answer. */
    public StreamsGroupHeartbeatResponseData create(
            RequestContext who, String groupId, StreamsGroupHeartbeatResult result) {
        StreamsGroupHeartbeatResponseData answer = result.data();
        Map<String, CreatableTopic> topics = result.creatableTopics();
        if (topics.isEmpty()) {
            return answer;
        }
        List<String> forbidden = forbidden(who, topics.keySet());
        if (!forbidden.isEmpty()) {
            tell(answer, "Unauthorized to CREATE on topics " + String.join(", ", forbidden) + ".");
            return answer;
        }
        creation.create(topics, who, 2L * intervalMs(groupId));
        Map<String, String> errors = missing(answer).isPresent() ? creation.errors(topics.keySet()) : Map.of();
        if (!errors.isEmpty()) {
            tell(answer, "Creation failed: " + list(errors) + ".");
        }
        return answer;
    }

    private List<String> forbidden(RequestContext who, Set<String> names) {
        if (authorization.isAllowed(
                who, AclOperation.CREATE, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false)) {
            return List.of();
        }
        Set<String> allowed = authorization.allowed(who, AclOperation.CREATE, ResourceType.TOPIC, names, name -> name);
        return names.stream().filter(name -> !allowed.contains(name)).toList();
    }

    private int intervalMs(String groupId) {
        return configs.groupConfig(groupId)
                .flatMap(GroupConfig::streamsHeartbeatIntervalMs)
                .orElse(heartbeatIntervalMs);
    }

    private static void tell(StreamsGroupHeartbeatResponseData answer, String detail) {
        Optional<Status> told = missing(answer);
        if (told.isPresent()) {
            told.get().setStatusDetail(told.get().statusDetail() + "; " + detail);
            return;
        }
        List<Status> all = new ArrayList<>(answer.status() == null ? List.of() : answer.status());
        all.add(new Status().setStatusCode(MISSING).setStatusDetail(detail));
        answer.setStatus(all);
    }

    private static Optional<Status> missing(StreamsGroupHeartbeatResponseData answer) {
        return answer.status() == null
                ? Optional.empty()
                : answer.status().stream()
                        .filter(status -> status.statusCode() == MISSING)
                        .findFirst();
    }

    private static String list(Map<String, String> errors) {
        String first = errors.entrySet().stream()
                .limit(TOLD_ERRORS)
                .map(error -> error.getKey() + " (" + error.getValue() + ")")
                .collect(Collectors.joining(", "));
        return errors.size() <= TOLD_ERRORS ? first : first + " and " + (errors.size() - TOLD_ERRORS) + " more";
    }
}
