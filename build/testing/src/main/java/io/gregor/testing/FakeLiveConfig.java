package io.gregor.testing;

import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.requests.ApiError;

/** Takes every change that the test does not refuse, and has it stored when the test lets it. Owned by the test's thread. */
public final class FakeLiveConfig implements LiveConfig {
    private final Map<Scope, Map<String, String>> stored = new EnumMap<>(Scope.class);
    private final Map<String, String> notApplied = new HashMap<>();
    private final List<Proposal> proposals = new ArrayList<>();
    private CompletableFuture<Void> turn = CompletableFuture.completedFuture(null);
    private ApiError refusal = ApiError.NONE;
    private NodeConfig current;

    /** Nothing stored, and these values. */
    public FakeLiveConfig(NodeConfig current) {
        this.current = current;
    }

    /** These values count now. */
    public void current(NodeConfig now) {
        current = now;
    }

    /** A value is stored. */
    public void stored(Scope scope, String key, String value) {
        stored.computeIfAbsent(scope, of -> new HashMap<>()).put(key, value);
    }

    /** A stored value does not count. */
    public void notApplied(String key, String reason) {
        notApplied.put(key, reason);
    }

    /** Changes are refused. */
    public void refuse(ApiError reason) {
        refusal = reason;
    }

    /** Changes wait until this ends. */
    public void waitFor(CompletableFuture<Void> end) {
        turn = end;
    }

    /** What was proposed, first first. */
    public List<Proposal> proposals() {
        return proposals;
    }

    @Override
    public NodeConfig current() {
        return current;
    }

    @Override
    public Map<String, String> stored(Scope scope) {
        return Map.copyOf(stored.getOrDefault(scope, Map.of()));
    }

    @Override
    public Map<String, String> notApplied() {
        return Map.copyOf(notApplied);
    }

    @Override
    public CompletableFuture<Outcome> change(Proposal proposal, Store store) {
        proposals.add(proposal);
        return turn.thenCompose(
                        begun -> refusal.isFailure() ? CompletableFuture.completedFuture(refusal) : store.store())
                .thenApply(error -> new Outcome(error, 1, new CompletableFuture<>()));
    }

    @Override
    public CompletableFuture<Outcome> change(Proposal proposal) {
        return change(proposal, () -> CompletableFuture.completedFuture(ApiError.NONE));
    }

    @Override
    public List<JournalEntry> journal() {
        throw Fake.unexpected("journal");
    }

    @Override
    public CompletableFuture<Outcome> undo(long number, String who, String door, boolean isDryRun) {
        throw Fake.unexpected("undo");
    }
}
