package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.handlers.groups.internal.RebalanceProtocol;
import io.gregor.handlers.groups.internal.StreamsTopics;
import io.gregor.internal.broker.StreamsTopicCreation;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TopicInfo;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * StreamsGroupHeartbeat (KIP-1071): joins, keeps and leaves a streams group; what its topology needs of internal topics is
 * created in the name of the client.
 */
@Component
@ServesApi(api_key = 88)
public final class StreamsGroupHeartbeatHandler implements RequestHandler {
    private final GroupCoordinator coordinator;
    private final Authorization authorization;
    private final RebalanceProtocol protocol;
    private final StreamsTopics topics;

    /** Serves from this coordinator. */
    @Activate
    public StreamsGroupHeartbeatHandler(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") GroupConfigManager configs,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference StreamsTopicCreation creation,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
        this.protocol = RebalanceProtocol.ofStreams(config, metadata);
        this.topics = new StreamsTopics(creation, authorization, configs, config);
    }

    @Override
    public void handle(Request request) {
        StreamsGroupHeartbeatRequestData data =
                request.body(StreamsGroupHeartbeatRequest.class).data();
        RequestContext who = request.context();
        List<String> named = names(data);
        if (!protocol.isOn()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
        } else if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, data.groupId())) {
            request.respondError(Errors.GROUP_AUTHORIZATION_FAILED.exception());
        } else if (named.stream().anyMatch(Topic::isInternal)) {
            refuse(
                    request,
                    "Use of Kafka internal topics " + list(named, Topic::isInternal)
                            + " in a Kafka Streams topology is prohibited.");
        } else if (!named.stream().allMatch(Topic::isValid)) {
            refuse(request, "Topic names " + list(named, name -> !Topic.isValid(name)) + " are not valid topic names.");
        } else if (!mayDescribe(who, named)) {
            request.respond(
                    new StreamsGroupHeartbeatResponseData().setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code()));
        } else {
            Answer.message(
                    request,
                    coordinator
                            .streamsGroupHeartbeat(who, data)
                            .thenApply(result -> topics.create(who, data.groupId(), result)));
        }
    }

    private static void refuse(Request request, String message) {
        request.respond(new StreamsGroupHeartbeatResponseData()
                .setErrorCode(Errors.STREAMS_INVALID_TOPOLOGY.code())
                .setErrorMessage(message));
    }

    private static String list(List<String> names, Predicate<String> chosen) {
        return names.stream().filter(chosen).collect(Collectors.joining(","));
    }

    private boolean mayDescribe(RequestContext who, List<String> names) {
        return authorization
                .allowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, names, name -> name)
                .containsAll(names);
    }

    /** What the topology names, each once; it is null in a heartbeat that does not tell it. */
    private static List<String> names(StreamsGroupHeartbeatRequestData data) {
        return data.topology() == null
                ? List.of()
                : data.topology().subtopologies().stream()
                        .flatMap(StreamsGroupHeartbeatHandler::names)
                        .distinct()
                        .toList();
    }

    private static Stream<String> names(Subtopology part) {
        return Stream.of(
                        part.sourceTopics().stream(),
                        part.repartitionSinkTopics().stream(),
                        part.repartitionSourceTopics().stream().map(TopicInfo::name),
                        part.stateChangelogTopics().stream().map(TopicInfo::name))
                .flatMap(names -> names);
    }
}
