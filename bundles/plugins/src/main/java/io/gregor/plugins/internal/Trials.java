package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.Outcome;
import io.gregor.internal.plugin.Plugins.State;
import io.gregor.internal.plugin.Plugins.Terms;
import io.gregor.internal.plugin.Standing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plugins on trial: each serves its share of the connections, is judged once a second, and is kept or taken out. Owned by the
 * deployer thread.
 */
public final class Trials {
    /** How often one that serves is looked at. */
    static final long SAMPLE_MS = 1_000;

    private static final Logger LOGGER = LoggerFactory.getLogger(Trials.class);
    private static final long SOON_MS = 20;

    private final Deployment deployment;
    private final DeployerParts parts;
    private final Time time;
    private final TrialCounters counters;
    private final TrialReport report;
    private final Map<String, Trial> byName = new TreeMap<>();

    public Trials(Deployment deployment) {
        this.deployment = deployment;
        this.parts = deployment.parts();
        this.time = parts.time();
        this.counters = new TrialCounters(parts.standings());
        this.report = new TrialReport(parts.report());
    }

    /** Puts a jar on trial; goes on in {@link #look}. */
    void begin(Path jar, Terms terms, String who, CompletableFuture<Outcome> outcome) {
        try {
            JarIntake.Taken taken =
                    parts.intake().take(jar).orElseThrow(() -> new RefusedJar("it is no whole jar", "copy it again"));
            Trial trial = installed(jar, taken, terms, who, outcome);
            byName.put(trial.plugin().name(), trial);
            start(trial);
        } catch (RefusedJar why) {
            outcome.complete(report.refused(jar, why));
        } catch (IOException fault) {
            RefusedJar why =
                    new RefusedJar("it cannot be read: " + fault, "see that it is there and this node may read it");
            outcome.complete(report.refused(jar, why));
        }
    }

    private Trial installed(
            Path jar, JarIntake.Taken taken, Terms terms, String who, CompletableFuture<Outcome> outcome)
            throws RefusedJar, IOException {
        Path copy = taken.copy().resolveSibling(taken.copy().getFileName() + ".trial");
        boolean isDone = false;
        try {
            checkName(taken.manifest().symbolicName());
            PluginBundle plugin = PluginBundle.ofJar(taken.manifest(), jar, 0, time.milliseconds());
            plugin.orderedBy(who);
            Files.copy(taken.copy(), copy, StandardCopyOption.REPLACE_EXISTING);
            parts.installation().install(plugin, taken.copy());
            isDone = true;
            return new Trial(plugin, copy, terms, who, outcome);
        } finally {
            Files.deleteIfExists(taken.copy());
            if (!isDone) {
                Files.deleteIfExists(copy);
            }
        }
    }

    private void checkName(String name) throws RefusedJar {
        if (!deployment.isStarted()) {
            throw new RefusedJar("the node is still starting", "try it again when it is ready");
        }
        if (byName.containsKey(name)) {
            throw new RefusedJar(
                    name + " is on trial already, with version "
                            + byName.get(name).plugin().version(),
                    "end that with plugin:keep " + name + " or plugin:remove " + name);
        }
        deployment.contenders(name);
    }

    private void start(Trial trial) {
        PluginBundle plugin = trial.plugin();
        plugin.become(State.WAITING, "it is looked at before it serves its share", time.milliseconds());
        plugin.deadlineNs(time.nanoseconds() + TimeUnit.MILLISECONDS.toNanos(Switching.READY_LIMIT_MS));
        parts.standings().stand(Map.of(plugin.bundleId(), Standing.HELD));
        try {
            parts.installation().start(plugin);
            lookAt(trial);
        } catch (RefusedJar why) {
            refuse(trial, why);
        }
    }

    /** Looks after all trials. Returns after how many milliseconds to look again, unless there is an order before. */
    long look() {
        long nextMs = Long.MAX_VALUE;
        for (Trial trial : List.copyOf(byName.values())) {
            if (trial.judge() == null) {
                lookAt(trial);
                nextMs = SOON_MS;
            } else if (trial.isDue(time.milliseconds())) {
                judge(trial);
            }
        }
        return byName.isEmpty() ? Long.MAX_VALUE : Math.min(nextMs, SAMPLE_MS);
    }

    private void lookAt(Trial trial) {
        Bundle bundle = Objects.requireNonNull(trial.plugin().bundle());
        PluginBundle former = former(trial);
        Look look = parts.components().look(bundle, former == null ? null : former.bundle());
        boolean isLate = time.nanoseconds() - trial.plugin().deadlineNs() >= 0;
        switch (look.kind()) {
            case READY -> serve(trial, bundle);
            case FAILED -> refuse(trial, new RefusedJar(look.reason(), look.advice()));
            case WAITING -> {
                if (isLate) {
                    refuse(trial, new RefusedJar(look.reason(), look.advice()));
                }
            }
        }
    }

    private void serve(Trial trial, Bundle bundle) {
        try {
            Triable.check(OfferedService.of(bundle), others(bundle));
        } catch (RefusedJar why) {
            refuse(trial, why);
            return;
        }
        PluginBundle plugin = trial.plugin();
        long nowMs = time.milliseconds();
        trial.serves(new TrialJudge(trial.terms(), sample(trial, nowMs)), nowMs);
        parts.standings()
                .stand(Map.of(plugin.bundleId(), Standing.trial(trial.terms().sharePercent())));
        plugin.become(State.TRIAL, "", nowMs);
        plugin.trial(trial.lines(nowMs));
        trial.begun().complete(report.begun(trial, former(trial)));
    }

    /** The services of all bundles of other names. */
    private static List<OfferedService> others(Bundle own) {
        return Arrays.stream(own.getBundleContext().getBundles())
                .filter(other -> !Objects.equals(other.getSymbolicName(), own.getSymbolicName()))
                .flatMap(other -> OfferedService.of(other).stream())
                .toList();
    }

    private void judge(Trial trial) {
        TrialJudge judge = Objects.requireNonNull(trial.judge());
        long nowMs = time.milliseconds();
        String fault = judge.look(sample(trial, nowMs)).orElse("");
        if (trial.plugin().bundle() == null
                || Objects.requireNonNull(trial.plugin().bundle()).getState() != Bundle.ACTIVE) {
            fault = "its bundle has stopped by itself";
        }
        trial.plugin().trial(trial.lines(nowMs));
        if (!fault.isEmpty()) {
            takeOut(trial, Standing.LEAVING);
            report.takenOut(trial, former(trial), fault);
        } else if (trial.isOver(nowMs)) {
            keep(trial);
        }
    }

    /** Has the figures of it as they are now. */
    private void count(Trial trial) {
        TrialJudge judge = trial.judge();
        if (judge != null) {
            judge.count(sample(trial, time.milliseconds()));
        }
    }

    private TrialSample sample(Trial trial, long nowMs) {
        long own = trial.plugin().bundleId();
        Set<Long> others = byName.values().stream()
                .map(other -> other.plugin().bundleId())
                .filter(id -> id != own)
                .collect(Collectors.toSet());
        return counters.read(nowMs, trial.plugin(), others, former(trial));
    }

    private @Nullable PluginBundle former(Trial trial) {
        return deployment.serving(trial.plugin().name());
    }

    /** Its time is over, and it has held its limits. */
    private void keep(Trial trial) {
        try {
            PluginBundle former = former(trial);
            deployment.keep(trial.plugin(), trial.copy());
            end(trial);
            report.kept(trial, former, "", "node");
        } catch (RefusedJar why) {
            trial.leaveOpen();
            report.notKept(trial, why.line());
        } catch (IOException fault) {
            trial.leaveOpen();
            report.notKept(trial, "its jar cannot be copied: " + fault);
        }
    }

    /** Ends the trial of a plugin well. */
    void keep(String name, String who, CompletableFuture<Outcome> outcome) {
        Trial trial = find(name);
        if (trial == null || trial.judge() == null) {
            outcome.complete(new Outcome(
                    false,
                    "no plugin of this name is on trial: name=" + name + "; plugin:list state=trial shows those"));
            return;
        }
        try {
            PluginBundle former = former(trial);
            count(trial);
            deployment.keep(trial.plugin(), trial.copy());
            end(trial);
            outcome.complete(report.kept(trial, former, who, "shell"));
        } catch (RefusedJar why) {
            outcome.complete(new Outcome(false, "not kept, the trial goes on: " + why.line()));
        } catch (IOException fault) {
            outcome.complete(new Outcome(false, "not kept, the trial goes on: its jar cannot be copied: " + fault));
        }
    }

    /** Ends the trial of this plugin, if there is one. Returns false if not. */
    boolean remove(String name, String who, CompletableFuture<Outcome> outcome) {
        Trial trial = find(name);
        if (trial == null) {
            return false;
        }
        count(trial);
        takeOut(trial, Standing.LEAVING);
        outcome.complete(report.removed(trial, former(trial), who));
        return true;
    }

    private @Nullable Trial find(String name) {
        return byName.values().stream()
                .filter(trial -> trial.plugin().name().equals(name)
                        || name.equals(String.valueOf(trial.plugin().file().getFileName())))
                .findFirst()
                .orElse(null);
    }

    /** When this returns the former serves all; what the trial has in hand is finished in it. */
    private void takeOut(Trial trial, Standing standing) {
        PluginBundle plugin = trial.plugin();
        parts.standings().stand(Map.of(plugin.bundleId(), standing));
        plugin.become(State.LEAVING, "", time.milliseconds());
        parts.departures().add(plugin);
        end(trial);
    }

    /** It has never served. */
    private void refuse(Trial trial, RefusedJar why) {
        PluginBundle plugin = trial.plugin();
        parts.departures().takeOut(plugin);
        trial.begun().complete(report.refused(plugin.file(), why));
        end(trial);
    }

    private void end(Trial trial) {
        byName.remove(trial.plugin().name(), trial);
        trial.begun().complete(new Outcome(false, "the trial was ended before it began: plugin=" + trial.plugin()));
        try {
            Files.deleteIfExists(trial.copy());
        } catch (IOException fault) {
            LOGGER.warn("copy of a jar is left: file={} reason={}", trial.copy(), fault.toString());
        }
    }

    /** Those on trial, or about to be. */
    List<PluginBundle> shown() {
        return byName.values().stream().map(Trial::plugin).toList();
    }
}
