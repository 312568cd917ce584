package io.gregor.handlers.groups.internal;

import io.gregor.api.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;

/** Answers a request when a future ends, on the thread that ends it. Immutable. */
public final class Answer {
    private Answer() {}

    /** With the message itself. */
    public static void message(Request request, CompletableFuture<? extends ApiMessage> result) {
        whenDone(request, result, request::respond);
    }

    /** With the response that is made of the result. */
    public static <T> void response(
            Request request, CompletableFuture<T> result, Function<T, AbstractResponse> response) {
        whenDone(request, result, value -> request.respond(response.apply(value)));
    }

    /**
     * What the coordinator answers, or this if the client's answer is wanted before: what the coordinator answers later is
     * not told to the client then, who asks anew.
     */
    public static <T> CompletableFuture<T> orEarly(Request request, CompletableFuture<T> result, Supplier<T> early) {
        if (result.isDone()) {
            return result;
        }
        CompletableFuture<T> first = result.copy();
        request.whenHurried(() -> first.complete(early.get()));
        return first;
    }

    private static <T> void whenDone(Request request, CompletableFuture<T> result, Consumer<T> answer) {
        var unused = result.thenAccept(answer).exceptionally(fault -> {
            request.respondError(Errors.maybeUnwrapException(fault));
            return null;
        });
    }
}
