package io.gregor.broker.internal;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.TopicCreator;

/**
 * Ends a creation when this broker shows the topics, not when the controller has created them. Until it ends, nobody who
 * misses the topics has them created again: a client that finds no coordinator asks some hundred times a second. Immutable.
 */
record ShownTopicCreator(TopicCreator controller, ServedImage served) implements TopicCreator {
    @Override
    public CompletableFuture<CreateTopicsResponse> createTopicWithPrincipal(
            RequestContext who, CreateTopicsRequest.Builder request) {
        return shown(request, controller.createTopicWithPrincipal(who, request));
    }

    @Override
    public CompletableFuture<CreateTopicsResponse> createTopicWithoutPrincipal(CreateTopicsRequest.Builder request) {
        return shown(request, controller.createTopicWithoutPrincipal(request));
    }

    private CompletableFuture<CreateTopicsResponse> shown(
            CreateTopicsRequest.Builder request, CompletableFuture<CreateTopicsResponse> creation) {
        return creation.thenCompose(response -> ExpectedMetadata.of(request.build(), response)
                .map(expected ->
                        served.await(expected.condition(), expected.timeoutMs()).handle((shown, late) -> response))
                .orElseGet(() -> CompletableFuture.completedFuture(response)));
    }
}
