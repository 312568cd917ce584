package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Orders to take a plugin out, until the former behaviour is back. Owned by the deployer thread. */
final class Removals {
    private final List<Removal> all = new ArrayList<>();

    /**
     * The jar of this one has been taken away.
     *
     * @param name what there is of its name; null if it was refused before it had one
     */
    void add(PluginBundle plugin, @Nullable Contenders name, CompletableFuture<Outcome> outcome) {
        all.add(new Removal(plugin, name, outcome));
    }

    /** Answers those that are done. */
    void look() {
        all.removeIf(Removal::endIfDone);
    }

    private record Removal(PluginBundle plugin, @Nullable Contenders all, CompletableFuture<Outcome> outcome) {
        boolean endIfDone() {
            if (all != null && (all.serving() == plugin || all.candidate() != null)) {
                return false;
            }
            PluginBundle next = all == null ? null : all.serving();
            String text = "removed: plugin=" + plugin + " now=" + (next == null ? "none" : next);
            return outcome.complete(new Outcome(true, text));
        }
    }
}
