package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Scope;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what became of changes: to their callers, the journal and the log. Owned by the reconfiguration thread. */
final class ChangeReports {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChangeReports.class);
    private static final String BY_LOG = "log";
    private static final long NO_NUMBER = -1;

    private final ChangeJournal journal;
    private final Reconfiguration.Turns turns;
    private final LongSupplier nowMs;

    ChangeReports(ChangeJournal journal, Reconfiguration.Turns turns, LongSupplier nowMs) {
        this.journal = journal;
        this.turns = turns;
        this.nowMs = nowMs;
    }

    ChangeJournal journal() {
        return journal;
    }

    /** Nothing was stored. */
    void refused(PendingChange change, ApiError reason) {
        long number =
                change.proposal().isDryRun() ? NO_NUMBER : write(change, "refused: " + reason.messageWithFallback());
        end(change, reason, number, nothing());
    }

    /** It could be applied, or not; nothing was stored, and nothing is written down. */
    static void ended(CompletableFuture<Outcome> outcome, ApiError result) {
        outcome.complete(new Outcome(result, NO_NUMBER, nothing()));
    }

    /** It counts; figures of what follows are added when they are there. */
    void applied(PendingChange change, CompletableFuture<String> figures) {
        long number = write(change, JournalLine.APPLIED);
        var unused = figures.thenAccept(told -> turns.soon(() -> {
            if (!told.isEmpty()) {
                write(change, JournalLine.APPLIED + ", " + told);
            }
        }));
        end(change, ApiError.NONE, number, figures);
    }

    /** It is stored, and does not count everywhere. */
    void failed(PendingChange change, Map<String, String> failed, CompletableFuture<String> figures) {
        long number = write(change, "failed: " + failed);
        String message = "the change could not be switched on: " + String.join("; ", Set.copyOf(failed.values()));
        end(change, new ApiError(Errors.INVALID_REQUEST, message), number, figures);
    }

    /** Its caller is told now, and again by the figures if the log shows it. */
    void unknown(PendingChange change, String reason) {
        long number = write(change, "unknown: " + reason);
        String message = "the outcome is unknown: " + reason + "; it counts as soon as the metadata log shows it";
        change.outcome().complete(new Outcome(new ApiError(Errors.REQUEST_TIMED_OUT, message), number, change.after()));
    }

    /** The log has shown something that did not come through this node. */
    void byOthers(StoredValues before, StoredValues now, Map<String, String> notApplied) {
        for (Scope scope : Scope.values()) {
            Set<String> keys = now.differing(scope, before);
            if (!keys.isEmpty()) {
                Map<String, String> open = new TreeMap<>(notApplied);
                open.keySet().retainAll(keys);
                write(new JournalLine(
                        new JournalEntry(
                                journal.nextNumber(),
                                nowMs.getAsLong(),
                                "",
                                BY_LOG,
                                scope,
                                PendingChange.shown(before.of(scope), keys),
                                PendingChange.shown(now.of(scope), keys),
                                open.isEmpty() ? JournalLine.APPLIED : "not applied: " + open,
                                true),
                        NO_NUMBER));
            }
        }
    }

    /** Something else than settings has changed, or was to change; who changed it has logged it. */
    void ofOthers(String who, String door, Map<String, String> before, Map<String, String> after, String result) {
        JournalEntry entry = new JournalEntry(
                journal.nextNumber(), nowMs.getAsLong(), who, door, Scope.NODE, before, after, result, false);
        journal.put(new JournalLine(entry, NO_NUMBER));
    }

    private static void end(PendingChange change, ApiError error, long number, CompletableFuture<String> figures) {
        var unused = figures.thenAccept(change.after()::complete);
        change.outcome().complete(new Outcome(error, number, change.after()));
    }

    private long write(PendingChange change, String result) {
        return write(change.line(result, journal.nextNumber(), nowMs.getAsLong()));
    }

    private long write(JournalLine line) {
        journal.put(line);
        LOGGER.info("change of settings: {}", line.json());
        return line.entry().number();
    }

    private static CompletableFuture<String> nothing() {
        return CompletableFuture.completedFuture("");
    }
}
