package io.gregor.shell.internal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for what takes time, and prints what is under way meanwhile. Owned by the thread that runs the command. */
public final class Waiting {
    private final PrintStream console;
    private final Supplier<String> progress;
    private final Duration step;
    private String shown = "";

    /**
     * Nothing is waited for yet.
     *
     * @param console where progress goes, at once
     * @param progress what is under way just now; empty if nothing
     * @param step how often to look at it
     */
    public Waiting(PrintStream console, Supplier<String> progress, Duration step) {
        this.console = console;
        this.progress = progress;
        this.step = step;
    }

    /**
     * Waits for one thing.
     *
     * @param late what to say if the console waits no longer: how the end of it can be seen
     * @throws IllegalArgumentException if it fails, with the reason, or is waited for no longer
     */
    public <T> T until(CompletableFuture<T> future, String late) {
        while (true) {
            try {
                return future.get(step.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                showProgress();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
                throw new IllegalArgumentException(late, over);
            } catch (ExecutionException failed) {
                throw new IllegalArgumentException(oneLine(String.valueOf(failed.getCause())), failed);
            }
        }
    }

    private void showProgress() {
        String now = progress.get();
        if (!now.isEmpty() && !now.equals(shown)) {
            console.println(now);
            console.flush();
            shown = now;
        }
    }

    static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
