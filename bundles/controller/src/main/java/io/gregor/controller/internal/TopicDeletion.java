package io.gregor.controller.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.controller.ResultOrError;
import org.jspecify.annotations.Nullable;

/**
 * One deletion of topics that are named by name or by id: names are found for ids and ids for names, since rights are given
 * to names and the controller deletes ids. What may not even be described is answered as if it might exist. Owned by one
 * request: the handler thread first, then the controller's.
 */
public final class TopicDeletion {
    /**
     * What the client may do.
     *
     * @param describable topics that it may know about
     * @param deletable topics that it may delete
     */
    public record Rights(Set<String> describable, Set<String> deletable) {}

    private final Controller controller;
    private final ControllerRequestContext context;
    private final Function<Set<String>, Rights> rightsOf;
    private final Distinct<String> names = new Distinct<>();
    private final Distinct<Uuid> ids = new Distinct<>();
    private final Map<Uuid, String> doomed = new HashMap<>();
    private final List<DeletableTopicResult> results = new ArrayList<>();

    public TopicDeletion(
            Controller controller, ControllerRequestContext context, Function<Set<String>, Rights> rightsOf) {
        this.controller = controller;
        this.context = context;
        this.rightsOf = rightsOf;
    }

    /** Deletes what may be deleted; one result for each topic, in no order that would tell which exist. */
    public CompletionStage<List<DeletableTopicResult>> delete(DeleteTopicsRequestData request) {
        request.topicNames().forEach(names::add);
        request.topics().forEach(this::sort);
        names.repeated().forEach(name -> answer(name, Uuid.ZERO_UUID, invalid("Duplicate topic name.")));
        ids.repeated().forEach(id -> answer(null, id, invalid("Duplicate topic id.")));
        return controller
                .findTopicNames(context, ids.once())
                .thenCompose(namesById -> {
                    Rights rights = rightsOf.apply(namesToCheck(namesById));
                    takeIds(namesById, rights);
                    return controller.findTopicIds(context, names.once()).thenAccept(found -> takeNames(found, rights));
                })
                .thenCompose(nothing -> controller.deleteTopics(context, doomed.keySet()))
                .thenApply(this::finish);
    }

    private void sort(DeleteTopicState topic) {
        boolean hasId = !topic.topicId().equals(Uuid.ZERO_UUID);
        if (topic.name() == null && hasId) {
            ids.add(topic.topicId());
        } else if (topic.name() == null) {
            answer(null, Uuid.ZERO_UUID, invalid("Neither topic name nor id were specified."));
        } else if (hasId) {
            answer(topic.name(), topic.topicId(), invalid("You may not specify both topic name and topic id."));
        } else {
            names.add(topic.name());
        }
    }

    private Set<String> namesToCheck(Map<Uuid, ResultOrError<String>> namesById) {
        Set<String> all = new HashSet<>(names.once());
        namesById.values().stream().filter(ResultOrError::isResult).forEach(name -> all.add(name.result()));
        return all;
    }

    private void takeIds(Map<Uuid, ResultOrError<String>> namesById, Rights rights) {
        namesById.forEach((id, found) -> {
            if (found.isError()) {
                answer(null, id, found.error());
            } else if (rights.deletable().contains(found.result())) {
                doomed.put(id, found.result());
            } else {
                boolean isKnown = rights.describable().contains(found.result());
                answer(isKnown ? found.result() : null, id, unauthorized());
            }
        });
    }

    private void takeNames(Map<String, ResultOrError<Uuid>> idsByName, Rights rights) {
        idsByName.forEach((name, found) -> {
            if (!rights.describable().contains(name)) {
                answer(name, Uuid.ZERO_UUID, unauthorized());
            } else if (found.isError()) {
                answer(name, Uuid.ZERO_UUID, found.error());
            } else if (rights.deletable().contains(name)) {
                takeName(name, found.result());
            } else {
                answer(name, Uuid.ZERO_UUID, unauthorized());
            }
        });
    }

    /** A topic may be named by its name and by its id in one request; only who may delete it learns that. */
    private void takeName(String name, Uuid id) {
        if (ids.repeated().contains(id) || doomed.put(id, name) != null) {
            ids.repeat(id);
            doomed.remove(id);
            answer(name, id, invalid("The provided topic name maps to an ID that was already supplied."));
        }
    }

    private List<DeletableTopicResult> finish(Map<Uuid, ApiError> outcomes) {
        outcomes.forEach((id, outcome) -> answer(doomed.get(id), id, outcome));
        Collections.shuffle(results);
        return results;
    }

    private void answer(@Nullable String name, Uuid id, ApiError error) {
        results.add(new DeletableTopicResult()
                .setName(name)
                .setTopicId(id)
                .setErrorCode(error.error().code())
                .setErrorMessage(error.message()));
    }

    private static ApiError invalid(String message) {
        return new ApiError(Errors.INVALID_REQUEST, message);
    }

    private static ApiError unauthorized() {
        return new ApiError(Errors.TOPIC_AUTHORIZATION_FAILED);
    }
}
