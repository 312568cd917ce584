package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.runtime.ServiceComponentRuntime;

/** Shared: any thread; hands everything to the deployer thread, and shows what that has made of it. */
public final class Deployer implements Plugins {
    private final DeployerParts parts;
    private final Deployment deployment;
    private final Trials trials;
    private final DeployerThread thread;
    private final ShownPlugins shown;
    private final Surroundings surroundings;
    private boolean isStarted;

    /** What the deployer asks and tells the rest of the node. Called on the deployer thread. */
    public interface Surroundings {
        /** Whether bundles can be started now: dispatch of all roles is there, and if there are any, all start levels. */
        boolean isStartPossible(boolean isAnythingThere);

        /** Whether all roles are ready, so that nothing more comes by itself. */
        boolean isNodeReady();

        /** How long a bundle may take for what it has in hand before it is asked to hurry. */
        long swapTimeoutMs();

        /** All that was there at the start is started, as far as it can be. */
        void started();

        /** The bundles that are installed, newest of a name first. */
        void installed(List<Bundle> bundles);
    }

    /**
     * Not started.
     *
     * @param directory what is watched
     * @param copies where jars are copied to
     */
    public Deployer(
            BundleContext context,
            ServiceComponentRuntime runtime,
            Path directory,
            Path copies,
            Surroundings surroundings) {
        this.surroundings = surroundings;
        parts = DeployerParts.of(context, runtime, copies, surroundings::swapTimeoutMs);
        deployment = new Deployment(context, directory, parts, surroundings::isNodeReady);
        trials = new Trials(deployment);
        thread = new DeployerThread(this::look);
        shown = new ShownPlugins(parts.standings());
    }

    /** From now on jars are taken. */
    public void start() {
        thread.start();
    }

    /** Takes no further step: the node stops, and the framework with it stops the bundles in their order. */
    public void halt() {
        thread.halt();
        parts.calls().interrupt();
    }

    /** Ends the thread. */
    public void stop() {
        thread.stop();
    }

    /** A jar is there, or has another content. */
    public void changed(Path file) {
        thread.submit(() -> deployment.changed(file));
    }

    /** A jar is gone. */
    public void gone(Path file) {
        thread.submit(() -> deployment.gone(file));
    }

    /** Something has changed that the deployer may wait for. */
    public void poke() {
        thread.submit(() -> {});
    }

    /** Ends when all is installed that was told before. */
    public CompletableFuture<Void> taken() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        thread.submit(() -> {
            surroundings.installed(installed());
            done.complete(null);
        });
        return done;
    }

    /** Which bundles count, in all roles. */
    public RoleStandings standings() {
        return parts.standings();
    }

    /** Where what happens is said. */
    public DeployReport report() {
        return parts.report();
    }

    /** How jars are taken; checks can be added. */
    public JarIntake intake() {
        return parts.intake();
    }

    private long look() {
        if (!isStarted && surroundings.isStartPossible(!deployment.isEmpty())) {
            isStarted = true;
            deployment.start();
            surroundings.started();
        }
        long nextMs = Math.min(deployment.look(), trials.look());
        List<PluginBundle> all = new ArrayList<>(trials.shown());
        all.addAll(deployment.shown());
        shown.replace(all);
        surroundings.installed(installed());
        return nextMs;
    }

    private List<Bundle> installed() {
        List<Bundle> all = new ArrayList<>(deployment.installed());
        trials.shown().stream()
                .map(PluginBundle::bundle)
                .filter(Objects::nonNull)
                .forEach(all::add);
        return all;
    }

    @Override
    public List<Plugin> list() {
        return shown.list();
    }

    @Override
    public Optional<Plugin> find(String name) {
        List<Plugin> all = list();
        return all.stream()
                .filter(plugin -> plugin.name().equals(name))
                .findFirst()
                .or(() -> all.stream()
                        .filter(plugin ->
                                name.equals(String.valueOf(plugin.file().getFileName())))
                        .findFirst());
    }

    @Override
    public CompletableFuture<Outcome> trial(Path jar, Terms terms, String who) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        thread.submit(() -> trials.begin(jar, terms, who, outcome));
        return outcome;
    }

    @Override
    public CompletableFuture<Outcome> keep(String name, String who) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        thread.submit(() -> trials.keep(name, who, outcome));
        return outcome;
    }

    @Override
    public CompletableFuture<Outcome> remove(String name, String who) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        thread.submit(() -> {
            if (!trials.remove(name, who, outcome)) {
                deployment.remove(name, who, outcome);
            }
        });
        return outcome;
    }
}
