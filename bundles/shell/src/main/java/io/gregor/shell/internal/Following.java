package io.gregor.shell.internal;

import io.gregor.internal.change.LiveConfig.Outcome;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/**
 * Waits for a change, prints what is under way meanwhile, and tells what came of it. Owned by the thread
 * that runs the command.
 */
public final class Following {
    private final Waiting waiting;

    /**
     * Follows changes.
     *
     * @param console where progress goes, at once
     * @param progress what is under way just now; empty if nothing
     * @param step how often to look at it
     */
    public Following(PrintStream console, Supplier<String> progress, Duration step) {
        this.waiting = new Waiting(console, progress, step);
    }

    /**
     * Waits for the change and for what follows it.
     *
     * @param preview what changes, by the number of the change; -1 for a dry run
     * @return what the command answers
     * @throws IllegalArgumentException if the change is refused
     */
    public String until(CompletableFuture<Outcome> change, boolean isDryRun, LongFunction<String> preview) {
        Outcome outcome =
                waiting.until(change, "the change is still being tried or stored, change:list tells what comes of it");
        if (outcome.error().isFailure()) {
            throw new IllegalArgumentException(refusal(outcome, isDryRun));
        }
        String changed = preview.apply(outcome.number());
        String head = changed.isEmpty() ? "" : changed + "\n";
        if (isDryRun) {
            return head + "dry run: it can be done, nothing was changed";
        }
        String figures = waiting.until(
                outcome.after(),
                "change=" + outcome.number()
                        + " is applied, what follows it goes on: listener:list shows it, change:show "
                        + outcome.number() + " has the figures in the end");
        return head + "change " + outcome.number() + " applied" + (figures.isEmpty() ? "" : "\n" + figures);
    }

    private static String refusal(Outcome outcome, boolean isDryRun) {
        ApiError error = outcome.error();
        String reason = error.message() == null ? error.error().message() : error.message();
        String number =
                outcome.number() < 0 || isDryRun ? "" : ", it is change " + outcome.number() + " in change:list";
        boolean isUnknown = error.error() == Errors.REQUEST_TIMED_OUT && !isDryRun;
        String head = isUnknown ? "not known yet whether it counts: " : "refused, nothing was changed: ";
        return head + Waiting.oneLine(reason) + number;
    }
}
