package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.change.LiveConfig.Store;
import io.gregor.internal.node.SecretKeys;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A proposal on its way. Owned by the reconfiguration thread.
 *
 * <pre>
 *   tried ──▶ storing ──▶ stored ──▶ committed      the log may bring it back before the answer of the store
 *     │          ├──────────┴─▶ unknown ──▶ committed, or given up
 *     └──────────┴─▶ refused
 * </pre>
 */
final class PendingChange {
    /** Where it is on its way. */
    enum State {
        STORING,
        STORED,
        UNKNOWN
    }

    private final Proposal proposal;
    private final @Nullable Store store;
    private final long takesBack;
    private final CompletableFuture<Outcome> outcome;
    private final CompletableFuture<String> after = new CompletableFuture<>();
    private StoredValues before = StoredValues.NONE;
    private @Nullable TriedChange tried;
    private State state = State.STORING;
    private @Nullable JournalLine line;
    private boolean isEchoed;

    /**
     * Not tried yet.
     *
     * @param store the caller's, null if this node stores it in its own name
     * @param takesBack the number of the change that it takes back, -1 for none
     */
    PendingChange(Proposal proposal, @Nullable Store store, long takesBack, CompletableFuture<Outcome> outcome) {
        this.proposal = proposal;
        this.store = store;
        this.takesBack = takesBack;
        this.outcome = outcome;
    }

    Proposal proposal() {
        return proposal;
    }

    @Nullable
    Store store() {
        return store;
    }

    /**
     * Whether this is what another change has asked the controller for in the name of this node: on a node with both roles the
     * request comes back by the controller's door.
     */
    boolean comesBackFrom(PendingChange other) {
        return store != null
                && other.store == null
                && proposal.scope() == other.proposal.scope()
                && proposal.values().equals(other.proposal.values())
                && proposal.isDryRun() == other.proposal.isDryRun();
    }

    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    CompletableFuture<String> after() {
        return after;
    }

    State state() {
        return state;
    }

    void state(State next) {
        state = next;
    }

    /** What was stored when it was tried. */
    void before(StoredValues stored) {
        before = stored;
    }

    @Nullable
    TriedChange tried() {
        return tried;
    }

    void tried(TriedChange change) {
        tried = change;
    }

    /** Takes back what was tried, if it is. */
    void undoTried() {
        TriedChange change = tried;
        tried = null;
        if (change != null) {
            change.undo();
        }
    }

    /** Whether the values are stored. */
    boolean isIn(StoredValues stored) {
        return stored.has(proposal.scope(), proposal.values());
    }

    /** Whether this log says that it is stored: one that makes no difference needs the answer of the store for that. */
    boolean isShownBy(StoredValues stored) {
        return isIn(stored) && !proposal.isDryRun() && (!isIn(before) || state == State.STORED);
    }

    /** The log has brought the values of this node again, as they are. */
    void echoed() {
        isEchoed = true;
    }

    /** Whether it stores what is stored already, and the log has yet to bring that again. */
    boolean isEchoDue() {
        return isIn(before) && !isEchoed && proposal.scope() == Scope.NODE;
    }

    /** The keys that it changes. */
    Set<String> keys() {
        return proposal.values().keySet();
    }

    /** What has to be stored to have the former values again. */
    Map<String, @Nullable String> formerValues() {
        Map<String, @Nullable String> values = new TreeMap<>();
        proposal.values()
                .keySet()
                .forEach(key -> values.put(key, before.of(proposal.scope()).get(key)));
        return values;
    }

    /** Its line in the journal, with another result; numbered when it gets its first one. */
    JournalLine line(String result, long nextNumber, long nowMs) {
        JournalLine known = line;
        line = known != null
                ? known.with(result)
                : new JournalLine(
                        new JournalEntry(
                                nextNumber,
                                nowMs,
                                proposal.who(),
                                proposal.door(),
                                proposal.scope(),
                                shown(
                                        before.of(proposal.scope()),
                                        proposal.values().keySet()),
                                shown(proposal.values(), keys()),
                                result,
                                true),
                        takesBack);
        return line;
    }

    /** The values of these keys for a journal or a log, secrets hidden. */
    static Map<String, String> shown(Map<String, @Nullable String> values, Iterable<String> keys) {
        Map<String, String> shown = new TreeMap<>();
        for (String key : keys) {
            String value = values.get(key);
            if (value != null) {
                shown.put(key, SecretKeys.isSecret(key) ? SecretKeys.HIDDEN : value);
            }
        }
        return shown;
    }
}
