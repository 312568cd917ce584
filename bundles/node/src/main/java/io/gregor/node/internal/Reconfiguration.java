package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.change.LiveSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Try, store, switch on: one change at a time, whatever the door. What the log brings that was not tried here is applied as
 * far as it can be. Owned by the reconfiguration thread.
 */
final class Reconfiguration {
    private static final Logger LOGGER = LoggerFactory.getLogger(Reconfiguration.class);
    private static final Set<Errors> UNKNOWN_OUTCOMES =
            Set.of(Errors.REQUEST_TIMED_OUT, Errors.NETWORK_EXCEPTION, Errors.NOT_CONTROLLER);

    /** A store that has not answered by then has an unknown outcome; those of the doors have shorter limits. */
    private static final long STORE_LIMIT_MS = 90_000;

    /** How long a caller waits for the log to bring a stored change back. */
    private static final long READ_BACK_LIMIT_MS = 30_000;

    /** How long a tried change of unknown outcome is kept, with the ports that it has bound. */
    private static final long KEPT_LIMIT_MS = 300_000;

    /** The thread's turns. */
    interface Turns {
        void soon(Runnable turn);

        void later(long delayMs, Runnable turn);
    }

    private record Waiting(CompletableFuture<Outcome> outcome, Runnable begin) {}

    private final CountedValues values;
    private final ChangeJournal journal;
    private final ControllerStore ownStore;
    private final Turns turns;
    private final Time time;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private @Nullable PendingChange pending;
    private boolean hasImage;

    Reconfiguration(CountedValues values, ChangeJournal journal, ControllerStore ownStore, Turns turns, Time time) {
        this.values = values;
        this.journal = journal;
        this.ownStore = ownStore;
        this.turns = turns;
        this.time = time;
    }

    void add(LiveSettings part) {
        values.add(part);
        if (hasImage) {
            values.settle();
        }
    }

    void remove(LiveSettings part) {
        values.remove(part);
    }

    /** Tries a change when those before it are through, and so on. */
    void propose(PendingChange change) {
        waiting.add(new Waiting(change.outcome(), () -> begin(change)));
        next();
    }

    /** Takes a change back, -1 for the last one. */
    void takeBack(long number, String who, String door, boolean isDryRun, CompletableFuture<Outcome> outcome) {
        waiting.add(new Waiting(outcome, () -> {
            TakeBack back = new TakeBack(journal, values.stored());
            JournalLine line = back.find(number);
            String refused = line == null ? back.missing(number) : back.refusal(line);
            if (line == null || refused != null) {
                outcome.complete(new Outcome(
                        new ApiError(Errors.INVALID_REQUEST, refused), -1, CompletableFuture.completedFuture("")));
            } else {
                Proposal proposal = PendingChange.takingBack(line.entry(), who, door, isDryRun);
                begin(new PendingChange(
                        proposal,
                        () -> ownStore.store(proposal.scope(), proposal.values(), isDryRun),
                        line.entry().number(),
                        outcome));
            }
        }));
        next();
    }

    private void next() {
        while (!waiting.isEmpty() && isFree()) {
            waiting.remove().begin().run();
        }
    }

    private boolean isFree() {
        PendingChange change = pending;
        if (change != null && change.state() == PendingChange.State.UNKNOWN) {
            giveUp(change);
        }
        return pending == null;
    }

    private void begin(PendingChange change) {
        Proposal proposal = change.proposal();
        if (!hasImage) {
            refuse(
                    change,
                    new ApiError(
                            Errors.BROKER_NOT_AVAILABLE,
                            "this node has not read the metadata log yet: try again in a moment"));
            return;
        }
        change.before(values.stored());
        ApiError refused = prepare(change);
        if (refused.isFailure()) {
            refuse(change, refused);
            return;
        }
        if (proposal.isDryRun()) {
            change.undoTried();
        }
        pending = change;
        turns.later(STORE_LIMIT_MS, () -> {
            if (pending == change && change.state() == PendingChange.State.STORING) {
                lose(change, "the store did not answer within " + STORE_LIMIT_MS + " ms");
            }
        });
        var unused = store(change).whenComplete((answer, fault) -> turns.soon(() -> answered(change, answer, fault)));
    }

    private static CompletableFuture<ApiError> store(PendingChange change) {
        try {
            return change.store().store();
        } catch (RuntimeException fault) {
            return CompletableFuture.completedFuture(ApiError.fromThrowable(fault));
        }
    }

    private ApiError prepare(PendingChange change) {
        try {
            change.tried(values.prepare(change.proposal()));
            return ApiError.NONE;
        } catch (StartRefused | ConfigException refused) {
            return new ApiError(Errors.INVALID_REQUEST, refused.getMessage());
        } catch (RuntimeException fault) {
            LOGGER.error(
                    "a change cannot be tried: keys={}",
                    change.proposal().values().keySet(),
                    fault);
            return new ApiError(Errors.UNKNOWN_SERVER_ERROR, "the change cannot be tried: " + fault);
        }
    }

    private void answered(PendingChange change, @Nullable ApiError answer, @Nullable Throwable fault) {
        if (pending != change || change.state() != PendingChange.State.STORING) {
            return;
        }
        boolean isDryRun = change.proposal().isDryRun();
        if (answer == null || (UNKNOWN_OUTCOMES.contains(answer.error()) && !isDryRun)) {
            lose(change, answer == null ? String.valueOf(fault) : answer.messageWithFallback());
        } else if (answer.isFailure() || isDryRun) {
            pending = null;
            change.undoTried();
            if (answer.isFailure()) {
                refuse(change, answer);
            } else {
                end(change, ApiError.NONE, -1, CompletableFuture.completedFuture(""));
            }
        } else {
            change.state(PendingChange.State.STORED);
            if (change.isIn(values.stored())) {
                commit(change);
            } else {
                turns.later(READ_BACK_LIMIT_MS, () -> {
                    if (pending == change && change.state() == PendingChange.State.STORED) {
                        lose(change, "stored, but not read back from the metadata log yet");
                    }
                });
            }
        }
        next();
    }

    /** The log has these values of this node's resources now. Also called if they are the same as before. */
    void seen(StoredValues now) {
        StoredValues expected = values.stored();
        values.stored(now);
        if (!hasImage) {
            hasImage = true;
            values.settle();
            next();
            return;
        }
        PendingChange change = pending;
        if (change != null
                && change.isIn(now)
                && (change.isVisible() || change.state() == PendingChange.State.STORED)
                && !change.proposal().isDryRun()) {
            expected = expected.with(change.scope(), change.proposal().values());
            commit(change);
        }
        if (!now.equals(expected)) {
            foreign(expected, now);
        }
        next();
    }

    /** Somebody else has changed something: it is applied; a change that was tried meanwhile is tried again on top of it. */
    private void foreign(StoredValues expected, StoredValues now) {
        PendingChange change = pending;
        boolean isTried = change != null && change.tried() != null;
        if (change != null) {
            change.undoTried();
        }
        values.settle();
        for (Scope scope : Scope.values()) {
            Set<String> keys = now.differing(scope, expected);
            if (!keys.isEmpty()) {
                Map<String, String> open = new TreeMap<>(values.notApplied());
                open.keySet().retainAll(keys);
                record(new JournalLine(
                        new JournalEntry(
                                journal.nextNumber(),
                                time.milliseconds(),
                                "",
                                "log",
                                scope,
                                PendingChange.shown(expected.of(scope), keys),
                                PendingChange.shown(now.of(scope), keys),
                                open.isEmpty() ? JournalLine.APPLIED : "not applied: " + open),
                        -1));
            }
        }
        if (change != null && isTried) {
            ApiError refused = prepare(change);
            LOGGER.info(
                    "a change was tried again after another one: keys={} {}",
                    change.proposal().values().keySet(),
                    refused);
        }
    }

    private void commit(PendingChange change) {
        pending = null;
        TriedChange tried = change.tried();
        Map<String, String> failed;
        CompletableFuture<String> figures = CompletableFuture.completedFuture("");
        if (tried == null) {
            values.settle();
            failed = new TreeMap<>(values.notApplied());
            failed.keySet().retainAll(change.proposal().values().keySet());
            failed.keySet().removeIf(key -> !KnownKeys.isKnown(key));
        } else {
            failed = values.commit(change.proposal(), tried);
            figures = tried.figures();
            if (failed.isEmpty()) {
                values.settle();
            } else {
                restore(change);
            }
        }
        if (failed.isEmpty()) {
            JournalLine line = record(change, JournalLine.APPLIED);
            end(change, ApiError.NONE, line.entry().number(), figures);
            var unused = figures.thenAccept(told -> turns.soon(() -> {
                if (!told.isEmpty()) {
                    record(change, JournalLine.APPLIED + ", " + told);
                }
            }));
        } else {
            JournalLine line = record(change, "failed: " + failed);
            String message = "the change could not be switched on: " + String.join("; ", failed.values());
            end(
                    change,
                    new ApiError(Errors.INVALID_REQUEST, message),
                    line.entry().number(),
                    figures);
        }
    }

    /** What was stored and cannot be switched on after all is not to stay in the log. */
    private void restore(PendingChange change) {
        var unused = ownStore.store(change.scope(), change.formerValues(), false)
                .whenComplete((answer, fault) -> LOGGER.warn(
                        "the former values are stored again: keys={} answer={}",
                        change.proposal().values().keySet(),
                        answer == null ? fault : answer));
    }

    private void refuse(PendingChange change, ApiError reason) {
        long number = -1;
        if (!change.proposal().isDryRun()) {
            number = record(change, "refused: " + reason.messageWithFallback())
                    .entry()
                    .number();
        }
        end(change, reason, number, CompletableFuture.completedFuture(""));
    }

    private void lose(PendingChange change, String reason) {
        change.state(PendingChange.State.UNKNOWN);
        JournalLine line = record(change, "unknown: " + reason);
        String message = "the outcome is unknown: " + reason + "; it counts as soon as the metadata log shows it";
        change.outcome()
                .complete(new Outcome(
                        new ApiError(Errors.REQUEST_TIMED_OUT, message),
                        line.entry().number(),
                        change.after()));
        turns.later(KEPT_LIMIT_MS, () -> {
            if (pending == change) {
                giveUp(change);
            }
        });
    }

    private void giveUp(PendingChange change) {
        pending = null;
        change.undoTried();
        change.after().complete("the outcome stayed unknown");
    }

    private void end(PendingChange change, ApiError error, long number, CompletableFuture<String> figures) {
        var unused = figures.thenAccept(change.after()::complete);
        change.outcome().complete(new Outcome(error, number, change.after()));
    }

    private JournalLine record(PendingChange change, String result) {
        return record(change.line(result, journal.nextNumber(), time.milliseconds()));
    }

    private JournalLine record(JournalLine line) {
        journal.put(line);
        LOGGER.info("change {}", line.json());
        return line;
    }

    /** Ends what is on its way; its outcome, if it is stored, shows at the next start. */
    void close() {
        ApiError reason = new ApiError(Errors.BROKER_NOT_AVAILABLE, "the node stops");
        PendingChange change = pending;
        pending = null;
        if (change != null) {
            change.undoTried();
            end(change, reason, -1, CompletableFuture.completedFuture(""));
        }
        waiting.forEach(one -> one.outcome().complete(new Outcome(reason, -1, CompletableFuture.completedFuture(""))));
        waiting.clear();
    }
}
