package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.Outcome;
import io.gregor.internal.plugin.Plugins.Terms;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Plugins on trial. Owned by the deployer thread. */
public final class Trials {
    private final Deployment deployment;

    public Trials(Deployment deployment) {
        this.deployment = deployment;
    }

    void begin(Path jar, Terms terms, String who, CompletableFuture<Outcome> outcome) {
        outcome.complete(new Outcome(
                false, "no trial of " + jar + " with " + terms + " by " + who + ": waits for " + deployment.look()));
    }

    void keep(String name, String who, CompletableFuture<Outcome> outcome) {
        outcome.complete(new Outcome(false, "no trial: plugin=" + name + " who=" + who));
    }

    /** Ends the trial of this plugin, if there is one. Returns false if not. */
    boolean remove(String name, String who, CompletableFuture<Outcome> outcome) {
        return false;
    }
}
