package io.gregor.internal.change;

import io.gregor.internal.node.NodeConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;

/**
 * The node's configuration while it runs, and the one way to change it, whatever the door: try, store in the metadata log,
 * switch on when the log brings it back. A service of {@code node}. Shared: any thread; nothing here waits.
 */
public interface LiveConfig {
    /** The values that count now: the file and the overrides under the dynamic ones, with Kafka's precedence. */
    NodeConfig current();

    /** The dynamic values as the metadata log has them, of this node ({@link Scope#NODE}) or of all ({@link Scope#CLUSTER}). */
    Map<String, String> stored(Scope scope);

    /** Stored keys of this node that do not count, with the reason; they are tried again. Includes keys without an owner. */
    Map<String, String> notApplied();

    /**
     * Changes settings of this node, or of all nodes, with a store of the caller's.
     *
     * @param proposal what is to change
     * @param store called when the change was tried and found good; a dry run calls it too, it then only validates
     * @return ends when the change is refused, or switched on; never fails
     */
    CompletableFuture<Outcome> change(Proposal proposal, Store store);

    /** Changes settings, and stores them with the active controller in the name of this node. */
    CompletableFuture<Outcome> change(Proposal proposal);

    /** The changes so far, last first, also those of {@link Journal}; they survive a restart. */
    List<JournalEntry> journal();

    /**
     * Takes the change with this number back: a change of its own, with the values from before.
     *
     * @param number a {@link JournalEntry#number}, or -1 for the last change of settings that was applied and not undone; one
     *     that is not of settings is refused
     */
    CompletableFuture<Outcome> undo(long number, String who, String door, boolean isDryRun);

    /** Whose values: of this node alone, or the default of all nodes of the cluster. */
    enum Scope {
        NODE,
        CLUSTER
    }

    /**
     * What is to change. Immutable.
     *
     * @param who the principal, or the user of the shell
     * @param door {@code admin} or {@code shell}
     * @param values the new value of each key, null to delete it
     * @param isDryRun whether everything is tried and nothing is stored
     */
    record Proposal(String who, String door, Scope scope, Map<String, @Nullable String> values, boolean isDryRun) {}

    /** Stores a tried change in the metadata log, or only validates it; the future ends with the controller's answer. */
    interface Store {
        CompletableFuture<ApiError> store();
    }

    /**
     * What became of a change. Immutable.
     *
     * @param error {@link ApiError#NONE} if it counts now, or could (dry run); else the reason
     * @param number its number in the journal, -1 for a dry run
     * @param after what follows the change and takes time: ends with one line of figures, or an empty one
     */
    record Outcome(ApiError error, long number, CompletableFuture<String> after) {}

    /**
     * A change as the journal has it. Immutable. Secrets are hidden in it.
     *
     * @param number counts up from 1
     * @param timeMs when, in milliseconds since the epoch
     * @param before the stored values before, by key; a key that was not stored is not in it
     * @param after the stored values after; a key that was deleted is not in it
     * @param result {@code applied}, {@code refused: …}, {@code unknown: …}, with the figures that followed
     * @param isOfSettings whether it is a change of settings; else {@code before} and {@code after} are as in {@link Journal}
     */
    record JournalEntry(
            long number,
            long timeMs,
            String who,
            String door,
            Scope scope,
            Map<String, String> before,
            Map<String, String> after,
            String result,
            boolean isOfSettings) {}
}
