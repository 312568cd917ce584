package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.node.NodeConfig;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;

/** A node's dynamic configuration on the test's thread, with a log and a clock that the test moves. */
final class LiveRig implements Reconfiguration.Turns {
    final CountedValues values;
    final ChangeJournal journal;
    final ChangeReports reports;
    final Reconfiguration reconfiguration;
    /** What was asked to be stored, as the node itself. */
    final List<Map<String, @Nullable String>> ownStores = new ArrayList<>();
    /** The answer of every store. */
    CompletableFuture<ApiError> answer = new CompletableFuture<>();

    private record Later(long atMs, Runnable turn) {}

    private final Deque<Runnable> turns = new ArrayDeque<>();
    private final List<Later> laters = new ArrayList<>();
    private boolean isTurning;
    private long nowMs;

    LiveRig(Path home, NodeFile file) {
        Settings settings = file.settings().provided();
        NodeConfig start = ConfigReading.read(settings, home);
        values = new CountedValues(new ConfigLayers(settings, start));
        journal = ChangeJournal.open(home);
        reports = new ChangeReports(journal, this, () -> nowMs);
        reconfiguration = new Reconfiguration(
                values,
                reports,
                (scope, changed, isValidateOnly) -> {
                    ownStores.add(changed);
                    return answer;
                },
                this);
    }

    /** A node that has read its log, with these parts. */
    static LiveRig running(Path home, FakePart... parts) {
        LiveRig rig = new LiveRig(home, NodeFile.combined(home));
        for (FakePart part : parts) {
            rig.reconfiguration.add(part);
        }
        rig.seen(StoredValues.NONE);
        return rig;
    }

    /** The log has these values. */
    void seen(StoredValues stored) {
        reconfiguration.seen(stored, !stored.node().equals(stored().node()));
    }

    /** The log has stored the same values of this node again. */
    void seenAgain() {
        reconfiguration.seen(stored(), true);
    }

    StoredValues stored() {
        return values.stored();
    }

    CompletableFuture<Outcome> propose(Scope scope, String... assignments) {
        return propose(new Proposal("alice", "admin", scope, map(assignments), false));
    }

    CompletableFuture<Outcome> propose(Proposal proposal) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        soon(() -> reconfiguration.propose(new PendingChange(proposal, () -> answer, -1, outcome)));
        return outcome;
    }

    CompletableFuture<Outcome> takeBack(long number) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        soon(() -> reconfiguration.takeBack(number, "bob", "shell", false, outcome));
        return outcome;
    }

    /** Stores and switches on, as when all goes well. */
    Outcome change(Scope scope, String... assignments) {
        CompletableFuture<Outcome> outcome = propose(scope, assignments);
        answerAnew(ApiError.NONE);
        seen(stored().with(scope, map(assignments)));
        return outcome.join();
    }

    /** Answers the store that is under way; the next one has an answer of its own. */
    void answerAnew(ApiError error) {
        CompletableFuture<ApiError> asked = answer;
        answer = new CompletableFuture<>();
        asked.complete(error);
    }

    /** {@code key=value}, or {@code -key} to delete. */
    static Map<String, @Nullable String> map(String... assignments) {
        Map<String, @Nullable String> values = new TreeMap<>();
        for (String assignment : assignments) {
            if (assignment.startsWith("-")) {
                values.put(assignment.substring(1), null);
            } else {
                String[] parts = assignment.split("=", 2);
                values.put(parts[0], parts[1]);
            }
        }
        return values;
    }

    @Override
    public void soon(Runnable turn) {
        turns.add(turn);
        if (!isTurning) {
            isTurning = true;
            while (!turns.isEmpty()) {
                turns.remove().run();
            }
            isTurning = false;
        }
    }

    @Override
    public void later(long delayMs, Runnable turn) {
        laters.add(new Later(nowMs + delayMs, turn));
    }

    void passes(long ms) {
        nowMs += ms;
        for (Later later : List.copyOf(laters)) {
            if (later.atMs <= nowMs) {
                laters.remove(later);
                soon(later.turn);
            }
        }
    }
}
