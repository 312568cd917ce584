package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.change.LiveConfig.Store;
import io.gregor.internal.change.LiveSettings;
import io.gregor.node.internal.PendingChange.State;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
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

    /** Stores values with the controller in the name of this node. */
    interface OwnStore {
        CompletableFuture<ApiError> store(Scope scope, Map<String, @Nullable String> values, boolean isValidateOnly);
    }

    private record Waiting(CompletableFuture<Outcome> outcome, Runnable begin) {}

    private final CountedValues values;
    private final ChangeReports reports;
    private final OwnStore ownStore;
    private final Turns turns;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private @Nullable PendingChange pending;
    private boolean hasImage;
    private boolean isEchoDue;

    Reconfiguration(CountedValues values, ChangeReports reports, OwnStore ownStore, Turns turns) {
        this.values = values;
        this.reports = reports;
        this.ownStore = ownStore;
        this.turns = turns;
    }

    void add(LiveSettings part) {
        values.add(part);
        if (hasImage) {
            values.settle();
        }
        part.known(values.current());
    }

    void remove(LiveSettings part) {
        values.remove(part);
    }

    /** Tries a change when those before it are through, and so on. What comes back from one under way is tried already. */
    void propose(PendingChange change) {
        if (pending != null && change.comesBackFrom(pending)) {
            passOn(change);
            return;
        }
        waiting.add(new Waiting(change.outcome(), () -> begin(change)));
        next();
    }

    /** Takes a change back, -1 for the last one. */
    void takeBack(long number, String who, String door, boolean isDryRun, CompletableFuture<Outcome> outcome) {
        waiting.add(new Waiting(outcome, () -> {
            TakeBack back = new TakeBack(reports.journal(), values.stored(), number);
            JournalLine line = back.line();
            String refused = back.refusal();
            if (line == null || refused != null) {
                ChangeReports.ended(outcome, new ApiError(Errors.INVALID_REQUEST, refused));
            } else {
                Proposal proposal = TakeBack.proposal(line.entry(), who, door, isDryRun);
                begin(new PendingChange(proposal, null, line.entry().number(), outcome));
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
        if (change != null && change.state() == State.UNKNOWN) {
            giveUp(change);
        }
        return pending == null;
    }

    private void begin(PendingChange change) {
        if (!hasImage) {
            String message = "this node has not read the metadata log yet: try again in a moment";
            ChangeReports.ended(change.outcome(), new ApiError(Errors.BROKER_NOT_AVAILABLE, message));
            return;
        }
        change.before(values.stored());
        ApiError refused = prepare(change);
        if (refused.isFailure()) {
            reports.refused(change, refused);
            return;
        }
        if (change.proposal().isDryRun()) {
            change.undoTried();
        }
        pending = change;
        unknownAfter(STORE_LIMIT_MS, change, State.STORING, "the store does not answer");
        var unused = store(change).whenComplete((answer, fault) -> turns.soon(() -> answered(change, answer, fault)));
    }

    private void passOn(PendingChange change) {
        var unused = store(change)
                .whenComplete((answer, fault) ->
                        ChangeReports.ended(change.outcome(), answer == null ? ApiError.fromThrowable(fault) : answer));
    }

    private CompletableFuture<ApiError> store(PendingChange change) {
        Proposal proposal = change.proposal();
        Store store = change.store();
        try {
            return store == null
                    ? ownStore.store(proposal.scope(), proposal.values(), proposal.isDryRun())
                    : store.store();
        } catch (RuntimeException fault) {
            LOGGER.error("a change cannot be stored: keys={}", change.keys(), fault);
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
            LOGGER.error("a change cannot be tried: keys={}", change.keys(), fault);
            return new ApiError(Errors.UNKNOWN_SERVER_ERROR, "the change cannot be tried: " + fault);
        }
    }

    private void answered(PendingChange change, @Nullable ApiError answer, @Nullable Throwable fault) {
        if (pending != change || change.state() != State.STORING) {
            return;
        }
        if (change.proposal().isDryRun()) {
            pending = null;
            ChangeReports.ended(change.outcome(), answer == null ? ApiError.fromThrowable(fault) : answer);
        } else if (answer == null || UNKNOWN_OUTCOMES.contains(answer.error())) {
            unknown(change, answer == null ? String.valueOf(fault) : answer.messageWithFallback());
        } else if (answer.isFailure()) {
            pending = null;
            change.undoTried();
            reports.refused(change, answer);
        } else {
            change.state(State.STORED);
            if (change.isIn(values.stored())) {
                commit(change);
            } else {
                unknownAfter(
                        READ_BACK_LIMIT_MS,
                        change,
                        State.STORED,
                        "stored, but not read back from the metadata log yet");
            }
        }
        next();
    }

    private void unknownAfter(long limitMs, PendingChange change, State state, String reason) {
        turns.later(limitMs, () -> {
            if (pending == change && change.state() == state) {
                unknown(change, reason);
                next();
            }
        });
    }

    private void unknown(PendingChange change, String reason) {
        change.state(State.UNKNOWN);
        reports.unknown(change, reason);
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

    /**
     * The log has these values of this node's resources now. Also called if they are the same as before.
     *
     * @param isStoredAnew whether some of this node's own were stored, be they the same
     */
    void seen(StoredValues now, boolean isStoredAnew) {
        StoredValues expected = values.stored();
        values.stored(now);
        PendingChange change = pending;
        if (!hasImage) {
            hasImage = true;
            values.settle();
            expected = now;
            LOGGER.info(
                    "stored settings are applied: keys={} notApplied={}",
                    now.keys(),
                    values.notApplied().keySet());
        } else if (change != null && change.isShownBy(now)) {
            expected =
                    expected.with(change.proposal().scope(), change.proposal().values());
            commit(change);
        } else if (isStoredAnew && now.equals(expected)) {
            storedAgain(change);
        }
        if (!now.equals(expected)) {
            othersChanged(expected, now);
        }
        next();
    }

    /** As Kafka, a node reads its files again then; a change that this node makes itself does so when it is committed. */
    private void storedAgain(@Nullable PendingChange change) {
        if (change != null) {
            change.echoed();
        } else if (!isEchoDue) {
            values.readAgain();
        }
        isEchoDue = false;
    }

    /** Somebody else has changed something: it is applied; a change that was tried meanwhile is tried again on top of it. */
    private void othersChanged(StoredValues before, StoredValues now) {
        PendingChange change = pending;
        boolean isTried = change != null && change.tried() != null;
        if (change != null) {
            change.undoTried();
        }
        values.settle();
        reports.byOthers(before, now, values.notApplied());
        if (change != null && isTried) {
            ApiError result = prepare(change);
            LOGGER.info("a change was tried again on top of another one: keys={} {}", change.keys(), result);
        }
    }

    private void commit(PendingChange change) {
        pending = null;
        isEchoDue = change.isEchoDue();
        TriedChange tried = change.tried();
        Map<String, String> failed;
        CompletableFuture<String> figures = CompletableFuture.completedFuture("");
        if (tried == null) {
            values.settle();
            failed = new TreeMap<>(values.notApplied());
            failed.keySet().retainAll(change.keys());
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
            reports.applied(change, figures);
        } else {
            reports.failed(change, failed, figures);
        }
    }

    /** What was stored and cannot be switched on after all is not to stay in the log. */
    private void restore(PendingChange change) {
        var unused = ownStore.store(change.proposal().scope(), change.formerValues(), false)
                .whenComplete((answer, fault) -> LOGGER.warn(
                        "the former values are stored again: keys={} answer={}",
                        change.keys(),
                        answer == null ? fault : answer));
    }

    /** Ends what is on its way; whether it is stored shows at the next start. */
    void close() {
        ApiError reason = new ApiError(Errors.BROKER_NOT_AVAILABLE, "the node stops");
        PendingChange change = pending;
        if (change != null) {
            giveUp(change);
            ChangeReports.ended(change.outcome(), reason);
        }
        waiting.forEach(one -> ChangeReports.ended(one.outcome(), reason));
        waiting.clear();
    }
}
