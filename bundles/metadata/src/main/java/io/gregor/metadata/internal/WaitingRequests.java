package io.gregor.metadata.internal;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.BrokerNotAvailableException;

/**
 * The requests that Raft has not answered yet. When it ends, whoever waits (a fetch for new records) is told to try another
 * node, so that no connection has to be closed with a request on it. Shared: any thread.
 *
 * @param <T> the answer
 */
final class WaitingRequests<T> implements AutoCloseable {
    private final Map<Object, CompletableFuture<T>> waiting = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /** The answer of the request that is made by the call, or the end of Raft, whichever comes first. */
    CompletionStage<T> add(Supplier<CompletionStage<T>> request) {
        Object ticket = new Object();
        CompletableFuture<T> answer = new CompletableFuture<>();
        waiting.put(ticket, answer);
        if (isClosed) {
            end(ticket);
            return answer;
        }
        try {
            request.get().whenComplete((value, fault) -> {
                waiting.remove(ticket);
                if (fault == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(fault);
                }
            });
        } catch (RuntimeException e) {
            waiting.remove(ticket);
            throw e;
        }
        return answer;
    }

    /** Ends what waits and what comes later. */
    @Override
    public void close() {
        isClosed = true;
        waiting.keySet().forEach(this::end);
    }

    private void end(Object ticket) {
        CompletableFuture<T> answer = waiting.remove(ticket);
        if (answer != null) {
            answer.completeExceptionally(new BrokerNotAvailableException("this controller is stopping"));
        }
    }
}
