package io.gregor.handlers.transactions.internal;

import io.gregor.api.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Answers a request when the coordinator has, on its thread. Immutable. */
public final class Late {
    private Late() {}

    /** With the message that is made of the result; with an error if none can be made. */
    public static <T> void answer(Request request, CompletableFuture<T> result, Function<T, ApiMessage> message) {
        var unused = result.thenAccept(value -> request.respond(message.apply(value)))
                .exceptionally(fault -> {
                    request.respondError(Errors.maybeUnwrapException(fault));
                    return null;
                });
    }
}
