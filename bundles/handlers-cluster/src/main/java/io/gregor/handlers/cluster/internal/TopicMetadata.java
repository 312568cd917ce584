package io.gregor.handlers.cluster.internal;

import io.gregor.internal.broker.AutoTopics;
import io.gregor.internal.dispatch.Authorization;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.MetadataCache;
import org.jspecify.annotations.Nullable;

/** Owned by one call of a handler. Builds the answer to one Metadata request, with the error codes of Kafka. */
public final class TopicMetadata {
    /** From this version on topics may be asked for by id, with the name left out. */
    private static final short TOPIC_ID_VERSION = 12;

    /** Up to this version unknown listeners of leaders are told as LEADER_NOT_AVAILABLE. */
    private static final short LISTENER_ERROR_VERSION = 6;

    private final MetadataCache view;
    private final Authorization authorization;
    private final String clusterId;
    private final @Nullable AutoTopics autoTopics;
    private final RequestContext who;
    private boolean ofImageOnly = true;

    /**
     * A response, and whether it follows from the image alone, so that it may be given again.
     *
     * @param response the body of the response
     * @param isOfImageOnly false if a topic was missing, since it may be under way, or what the asker may do counted
     */
    public record Answer(MetadataResponseData response, boolean isOfImageOnly) {}

    /** Prepares for one request; {@code autoTopics} is null if missing topics are not created. */
    public TopicMetadata(
            MetadataCache view,
            Authorization authorization,
            String clusterId,
            @Nullable AutoTopics autoTopics,
            RequestContext who) {
        this.view = view;
        this.authorization = authorization;
        this.clusterId = clusterId;
        this.autoTopics = autoTopics;
        this.who = who;
    }

    /**
     * Answers one request.
     *
     * @throws InvalidRequestException if it asks for topics in a way that its version does not have
     */
    public Answer answer(MetadataRequest request) {
        if (!request.isAllTopics()) {
            request.data().topics().forEach(topic -> check(topic, request.version()));
        }
        List<MetadataResponseTopic> topics = new ArrayList<>();
        Set<String> asked = asked(request, topics);
        Set<String> visible = visible(request, asked, topics);
        boolean create = autoTopics != null && request.allowAutoTopicCreation() && !request.isAllTopics();
        Set<String> allowed = create ? withoutForbiddenCreations(visible, topics) : visible;
        List<MetadataResponseTopic> found = view.getTopicMetadata(
                allowed, who.listenerName, request.version() == 0, request.version() >= LISTENER_ERROR_VERSION);
        topics.addAll(found);
        if (found.size() < allowed.size() && !request.isAllTopics()) {
            topics.addAll(missing(allowed, found, create ? autoTopics : null));
        }
        if (request.version() >= 8 && request.data().includeTopicAuthorizedOperations()) {
            topics.stream()
                    .filter(topic -> topic.name() != null && allowed.contains(topic.name()))
                    .forEach(topic -> topic.setTopicAuthorizedOperations(
                            authorization.allowedOperations(who, ResourceType.TOPIC, topic.name())));
        }
        return new Answer(response(request, topics), ofImageOnly);
    }

    private static void check(MetadataRequestTopic topic, short version) {
        if (version < TOPIC_ID_VERSION && topic.name() == null) {
            throw new InvalidRequestException("Topic name can not be null for version " + version);
        }
        if (version < TOPIC_ID_VERSION && !topic.topicId().equals(Uuid.ZERO_UUID)) {
            throw new InvalidRequestException("Topic IDs are not supported in requests for version " + version);
        }
        if (topic.name() == null && topic.topicId().equals(Uuid.ZERO_UUID)) {
            throw new InvalidRequestException("a topic is asked for by its name or its id, both are missing");
        }
    }

    /** The names of the topics that are asked for; if one is asked for by id, only ids count. Unknown ids are answered. */
    private Set<String> asked(MetadataRequest request, List<MetadataResponseTopic> answers) {
        if (request.isAllTopics()) {
            return view.getAllTopics();
        }
        Set<Uuid> ids = new LinkedHashSet<>(request.topicIds());
        ids.remove(Uuid.ZERO_UUID);
        if (ids.isEmpty()) {
            return new LinkedHashSet<>(request.topics());
        }
        Set<String> names = new LinkedHashSet<>();
        for (Uuid id : ids) {
            view.getTopicName(id)
                    .ifPresentOrElse(names::add, () -> answers.add(failed(Errors.UNKNOWN_TOPIC_ID, null, id)));
        }
        ofImageOnly &= answers.isEmpty();
        return names;
    }

    /** The topics that may be described; asked for by name or id the others are answered, among all they are left out. */
    private Set<String> visible(MetadataRequest request, Set<String> asked, List<MetadataResponseTopic> answers) {
        if (authorization.isOpen()) {
            return asked;
        }
        ofImageOnly = false;
        Set<String> allowed =
                authorization.allowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, asked, Function.identity());
        if (request.isAllTopics()) {
            return allowed;
        }
        boolean byId = request.topicIds().stream().anyMatch(id -> !id.equals(Uuid.ZERO_UUID));
        Set<String> kept = new LinkedHashSet<>();
        for (String name : asked) {
            if (allowed.contains(name)) {
                kept.add(name);
            } else if (byId) {
                answers.add(failed(Errors.TOPIC_AUTHORIZATION_FAILED, null, view.getTopicId(name)));
            } else {
                answers.add(failed(Errors.TOPIC_AUTHORIZATION_FAILED, name, Uuid.ZERO_UUID));
            }
        }
        return kept;
    }

    private Set<String> withoutForbiddenCreations(Set<String> names, List<MetadataResponseTopic> answers) {
        Set<String> absent = new LinkedHashSet<>(names);
        absent.removeIf(view::contains);
        if (absent.isEmpty()
                || authorization.isAllowed(
                        who, AclOperation.CREATE, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false)) {
            return names;
        }
        Set<String> creatable =
                authorization.allowed(who, AclOperation.CREATE, ResourceType.TOPIC, absent, Function.identity());
        Set<String> allowed = new LinkedHashSet<>(names);
        for (String name : absent) {
            if (!creatable.contains(name)) {
                allowed.remove(name);
                answers.add(failed(Errors.TOPIC_AUTHORIZATION_FAILED, name, Uuid.ZERO_UUID)
                        .setIsInternal(Topic.isInternal(name)));
            }
        }
        return allowed;
    }

    private List<MetadataResponseTopic> missing(
            Set<String> allowed, List<MetadataResponseTopic> found, @Nullable AutoTopics creator) {
        ofImageOnly = false;
        Set<String> missing = new LinkedHashSet<>(allowed);
        Set<String> present = new HashSet<>();
        found.forEach(topic -> present.add(topic.name()));
        missing.removeAll(present);
        if (creator != null) {
            return creator.create(missing, who);
        }
        return missing.stream()
                .map(name ->
                        failed(missingError(name), name, view.getTopicId(name)).setIsInternal(Topic.isInternal(name)))
                .toList();
    }

    private static Errors missingError(String name) {
        try {
            Topic.validate(name);
            return Errors.UNKNOWN_TOPIC_OR_PARTITION;
        } catch (InvalidTopicException bad) {
            return Errors.INVALID_TOPIC_EXCEPTION;
        }
    }

    private static MetadataResponseTopic failed(Errors error, @Nullable String name, Uuid id) {
        return new MetadataResponseTopic()
                .setErrorCode(error.code())
                .setName(name)
                .setTopicId(id);
    }

    private MetadataResponseData response(MetadataRequest request, List<MetadataResponseTopic> topics) {
        MetadataResponseData response = new MetadataResponseData()
                .setClusterId(clusterId)
                .setControllerId(view.getRandomAliveBrokerId().orElse(MetadataResponse.NO_CONTROLLER_ID))
                .setClusterAuthorizedOperations(clusterOperations(request));
        for (Node broker : view.getAliveBrokerNodes(who.listenerName)) {
            response.brokers()
                    .add(new MetadataResponseBroker()
                            .setNodeId(broker.id())
                            .setHost(broker.host())
                            .setPort(broker.port())
                            .setRack(broker.rack()));
        }
        topics.forEach(response.topics()::add);
        return response;
    }

    private int clusterOperations(MetadataRequest request) {
        boolean isAsked = request.version() >= 8
                && request.version() <= 10
                && request.data().includeClusterAuthorizedOperations();
        if (!isAsked) {
            return MetadataResponse.AUTHORIZED_OPERATIONS_OMITTED;
        }
        return authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.CLUSTER, Resource.CLUSTER_NAME)
                ? authorization.allowedOperations(who, ResourceType.CLUSTER, Resource.CLUSTER_NAME)
                : 0;
    }
}
