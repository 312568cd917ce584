package io.gregor.itest;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Work beside the test's thread, each on a daemon thread of its own: the common pool has but one thread on a small machine, and
 * what waits for it may be what the other work waits for.
 */
public final class Background {
    private Background() {}

    /** Ends when the work has ended, with its fault if it has one. */
    public static CompletableFuture<Void> run(Runnable work) {
        return CompletableFuture.runAsync(work, Background::start);
    }

    /** Ends with the work's result, or with its fault. */
    public static <T> CompletableFuture<T> supply(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, Background::start);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "background");
        thread.setDaemon(true);
        thread.start();
    }
}
