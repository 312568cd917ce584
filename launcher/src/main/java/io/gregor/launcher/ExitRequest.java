package io.gregor.launcher;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/**
 * The service by which the node ends the process: the first status counts, the end comes on a thread of its own, and the
 * caller goes on. Shared: any thread; see {@link #accept}.
 */
final class ExitRequest implements IntConsumer {
    /** Service property that tells it from other services of this type. */
    static final String PROPERTY = "gregor.exit";

    private final AtomicBoolean isRequested = new AtomicBoolean();
    private final IntConsumer exit;

    /** Ends the process by {@code exit}, which may take its time and need not return. */
    ExitRequest(IntConsumer exit) {
        this.exit = exit;
    }

    @Override
    public void accept(int status) {
        if (isRequested.compareAndSet(false, true)) {
            new Thread(() -> exit.accept(status), "gregor-exit").start();
        }
    }

    /** Whether the end is near: faults from here on are its consequence. */
    boolean isRequested() {
        return isRequested.get();
    }
}
