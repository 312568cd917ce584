package io.gregor.handlers.admin;

import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.requests.ApiError;

/** Takes every change that the test does not refuse, has it stored, and lets it count when the test says so. */
public final class FakeLiveConfig implements LiveConfig {
    public final Map<Scope, Map<String, String>> stored = new EnumMap<>(Scope.class);
    public final Map<String, String> notApplied = new HashMap<>();
    public final List<Proposal> proposals = new ArrayList<>();
    public CompletableFuture<Void> counts = CompletableFuture.completedFuture(null);
    private ApiError refusal = ApiError.NONE;
    private NodeConfig current;

    public FakeLiveConfig(NodeConfig current) {
        this.current = current;
        for (Scope scope : Scope.values()) {
            stored.put(scope, new HashMap<>());
        }
    }

    public void current(NodeConfig now) {
        current = now;
    }

    public void refuse(ApiError reason) {
        refusal = reason;
    }

    @Override
    public NodeConfig current() {
        return current;
    }

    @Override
    public Map<String, String> stored(Scope scope) {
        return Map.copyOf(stored.get(scope));
    }

    @Override
    public Map<String, String> notApplied() {
        return Map.copyOf(notApplied);
    }

    @Override
    public CompletableFuture<Outcome> change(Proposal proposal, Store store) {
        proposals.add(proposal);
        if (refusal.isFailure()) {
            return CompletableFuture.completedFuture(outcome(refusal));
        }
        return counts.thenCompose(nothing -> store.store()).thenApply(FakeLiveConfig::outcome);
    }

    @Override
    public CompletableFuture<Outcome> change(Proposal proposal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<JournalEntry> journal() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Outcome> undo(long number, String who, String door, boolean isDryRun) {
        throw new UnsupportedOperationException();
    }

    private static Outcome outcome(ApiError error) {
        return new Outcome(error, 1, new CompletableFuture<>());
    }
}
