package io.gregor.handlers.groups.internal;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;

/**
 * How groups of one kind are described: those that the client may describe, with their topics or, if one of these may not be
 * described, without anything. Immutable.
 *
 * @param <G> a described group of the protocol
 */
public final class GroupDescription<G> {
    private final Authorization authorization;
    private final Kind<G> kind;

    /** What differs between the kinds. */
    public interface Kind<G> {
        /** Asks the coordinator. */
        CompletableFuture<List<G>> describe(RequestContext who, List<String> groups);

        /** A group of which nothing but this is told. */
        G failed(String groupId, Errors error);

        /** A group of which nothing is told, since topics of it may not be described. */
        G hidden(G group);

        /** Its id. */
        String groupId(G group);

        /** Its error code. */
        short errorCode(G group);

        /** Tells in the group what the client may do to it. */
        void setAuthorizedOperations(G group, int operations);

        /** The topics that are told with it; any may come twice. */
        Stream<String> topics(G group);
    }

    /** Descriptions of one kind. */
    public GroupDescription(Authorization authorization, Kind<G> kind) {
        this.authorization = authorization;
        this.kind = kind;
    }

    /**
     * Answers a request for these groups.
     *
     * @param withOperations whether it is told what the client may do
     * @param answer puts the groups into the response
     */
    public void answer(
            Request request, List<String> groups, boolean withOperations, Function<List<G>, ApiMessage> answer) {
        RequestContext who = request.context();
        List<G> answered = new ArrayList<>();
        List<String> asked = new ArrayList<>();
        for (String group : groups) {
            if (authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.GROUP, group)) {
                asked.add(group);
            } else {
                answered.add(kind.failed(group, Errors.GROUP_AUTHORIZATION_FAILED));
            }
        }
        Answer.message(request, kind.describe(who, asked).thenApply(described -> {
            if (withOperations) {
                described.forEach(group -> addOperations(who, group));
            }
            answered.addAll(describable(who, described));
            return answer.apply(answered);
        }));
    }

    private void addOperations(RequestContext who, G group) {
        if (kind.errorCode(group) == Errors.NONE.code()) {
            kind.setAuthorizedOperations(
                    group, authorization.allowedOperations(who, ResourceType.GROUP, kind.groupId(group)));
        }
    }

    private List<G> describable(RequestContext who, List<G> groups) {
        Set<String> topics = groups.stream().flatMap(kind::topics).collect(Collectors.toSet());
        Set<String> allowed =
                authorization.allowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, topics, name -> name);
        return groups.stream()
                .map(group -> kind.topics(group).allMatch(allowed::contains) ? group : kind.hidden(group))
                .toList();
    }
}
