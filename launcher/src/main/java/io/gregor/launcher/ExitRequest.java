package io.gregor.launcher;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/**
 * The service by which the node ends the process: the first status counts, the end comes on a thread of its own, and the
 * caller goes on. Shared: any thread; see {@link #accept}.
 */
final class ExitRequest implements IntConsumer {
    /** Service property that tells it from other services of this type. */
    static final String PROPERTY = "gregor.exit";

    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private final IntConsumer exit;

    /** Ends the process by {@code exit}, which may take its time and need not return. */
    ExitRequest(IntConsumer exit) {
        this.exit = exit;
    }

    @Override
    public void accept(int requested) {
        if (status.complete(requested)) {
            new Thread(() -> exit.accept(requested), "gregor-exit").start();
        }
    }

    /** Whether the end is near; from then on faults are a consequence of it. */
    boolean isMade() {
        return status.isDone();
    }

    /** The status that was asked for, else another. */
    int statusOr(int other) {
        return status.getNow(other);
    }
}
