package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.State;
import io.gregor.internal.plugin.Standing;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;

/**
 * Brings the one to serve that is wanted of a name: starts it, looks at it, and lets it take the other's place in one go, or
 * takes it out again. Owned by the deployer thread.
 *
 * <pre>
 *  installed ──begin──▶ HELD ──ready──▶ LIVE ──another is LIVE──▶ RETIRED or LEAVING ──nothing in hand──▶ stopped
 *                        └────broken──▶ stopped, uninstalled
 * </pre>
 */
final class Switching {
    /** How long a bundle that takes another's place may wait for what its components refer to. */
    static final long READY_LIMIT_MS = 10_000;

    private final DeployerParts parts;
    private final Time time;
    private final BooleanSupplier isNodeReady;
    private boolean isStarted;

    /**
     * Starts nothing yet.
     *
     * @param isNodeReady whether all roles are ready: what components refer to has had its time to come
     */
    Switching(DeployerParts parts, BooleanSupplier isNodeReady) {
        this.parts = parts;
        this.time = parts.time();
        this.isNodeReady = isNodeReady;
    }

    /** From now on bundles are started. */
    void start() {
        isStarted = true;
    }

    /** Takes the next step towards the one that is wanted. */
    void settle(Contenders all) {
        PluginBundle wanted = all.wanted().orElse(null);
        PluginBundle candidate = all.candidate();
        if (candidate != null && candidate != wanted) {
            all.candidate(null);
            takeOut(candidate);
        }
        if (wanted != null && wanted.bundle() == null && !install(all, wanted)) {
            settle(all);
            return;
        }
        sweep(all, wanted);
        if (!isStarted || wanted == all.serving()) {
            return;
        }
        if (wanted == null) {
            vacate(all);
        } else if (wanted != all.candidate()) {
            begin(all, wanted);
        }
    }

    /** Looks at the candidate, if there is one, and at what serves and waits. Returns whether a candidate is still there. */
    boolean look(Contenders all) {
        PluginBundle candidate = all.candidate();
        if (candidate != null) {
            look(all, candidate);
        }
        PluginBundle serving = all.serving();
        if (serving != null && serving.state() == State.WAITING) {
            Look look = parts.components().look(Objects.requireNonNull(serving.bundle()), null);
            if (look.kind() == Look.Kind.READY) {
                serving.become(State.LIVE, "", time.milliseconds());
            } else {
                serving.become(State.WAITING, look.reason() + "; " + look.advice(), time.milliseconds());
            }
        }
        return all.candidate() != null;
    }

    /** Installs one that was behind, from its file as it is now. */
    private boolean install(Contenders all, PluginBundle plugin) {
        try {
            JarIntake.Taken taken = parts.intake()
                    .take(plugin.file())
                    .orElseThrow(() -> new RefusedJar("it is not whole any more", "copy it there again"));
            parts.installation().install(plugin, taken.copy());
            return true;
        } catch (RefusedJar why) {
            broken(all, plugin, why);
        } catch (IOException gone) {
            broken(all, plugin, new RefusedJar("it cannot be read: " + gone, "copy it there again"));
        }
        return false;
    }

    /** Uninstalls what is behind and not on its way out. */
    private void sweep(Contenders all, @Nullable PluginBundle wanted) {
        for (PluginBundle one : all.inOrder()) {
            boolean isUsed = one == wanted
                    || one == all.serving()
                    || one == all.candidate()
                    || one.isStock()
                    || parts.departures().has(one);
            if (!isUsed && one.bundle() != null) {
                parts.installation().takeOut(one);
            }
        }
    }

    private void begin(Contenders all, PluginBundle wanted) {
        all.candidate(wanted);
        wanted.deadlineNs(0);
        if (wanted.hasServed()) {
            wanted.times(new StepTimes(time.nanoseconds()));
        }
        parts.standings().stand(Map.of(wanted.bundleId(), Standing.HELD));
        parts.departures().cancel(wanted);
        try {
            parts.installation().start(wanted);
        } catch (RefusedJar why) {
            broken(all, wanted, why);
            settle(all);
            return;
        }
        wanted.times().done("start", time.nanoseconds());
        look(all, wanted);
    }

    private void look(Contenders all, PluginBundle candidate) {
        PluginBundle former = all.serving();
        Bundle bundle = Objects.requireNonNull(candidate.bundle());
        Look look =
                parts.components().look(bundle, former != null && isNodeReady.getAsBoolean() ? former.bundle() : null);
        switch (look.kind()) {
            case READY -> take(all, candidate, State.LIVE, "");
            case FAILED -> giveUp(all, candidate, look);
            case WAITING -> {
                String reason = look.reason() + "; " + look.advice();
                if (former == null && !parts.overriding().isOverriding(bundle)) {
                    take(all, candidate, State.WAITING, reason);
                } else if (isTooLate(candidate)) {
                    giveUp(all, candidate, look);
                } else {
                    candidate.become(State.WAITING, reason, time.milliseconds());
                }
            }
        }
    }

    private void giveUp(Contenders all, PluginBundle candidate, Look look) {
        broken(all, candidate, new RefusedJar(look.reason(), look.advice()));
        settle(all);
    }

    /** The limit counts from when the node is ready: at a start, what is waited for may come late. */
    private boolean isTooLate(PluginBundle candidate) {
        long nowNs = time.nanoseconds();
        if (candidate.deadlineNs() == 0 && isNodeReady.getAsBoolean()) {
            candidate.deadlineNs(nowNs + TimeUnit.MILLISECONDS.toNanos(READY_LIMIT_MS));
        }
        return candidate.deadlineNs() != 0 && nowNs - candidate.deadlineNs() >= 0;
    }

    private void take(Contenders all, PluginBundle next, State state, String reason) {
        PluginBundle former = all.serving();
        next.times().done("ready", time.nanoseconds());
        if (former == null) {
            parts.standings().stand(Map.of(next.bundleId(), Standing.LIVE));
        } else {
            Standing goes = former.isFileGone() ? Standing.LEAVING : Standing.RETIRED;
            parts.standings().stand(Map.of(next.bundleId(), Standing.LIVE, former.bundleId(), goes));
        }
        next.times().done("switch", time.nanoseconds());
        all.candidate(null);
        all.serve(next);
        next.become(state, reason, time.milliseconds());
        depart(former);
        parts.report().serves(next, former, next.sinceDropMs(time.milliseconds()));
        next.served();
    }

    private void depart(@Nullable PluginBundle former) {
        if (former != null) {
            State goesTo = former.isFileGone() || former.isOverwritten() ? State.LEAVING : State.BEHIND;
            former.become(goesTo, "", time.milliseconds());
            parts.departures().add(former);
        }
    }

    /** One that was on trial serves all, in one go; it is the last dropped of its name. */
    void keep(Contenders all, PluginBundle tried) {
        PluginBundle candidate = all.candidate();
        PluginBundle former = all.serving();
        all.add(tried);
        all.candidate(null);
        all.serve(tried);
        if (former == null) {
            parts.standings().stand(Map.of(tried.bundleId(), Standing.LIVE));
        } else {
            parts.standings().stand(Map.of(tried.bundleId(), Standing.LIVE, former.bundleId(), Standing.RETIRED));
        }
        tried.become(State.LIVE, "", time.milliseconds());
        depart(former);
        if (candidate != null) {
            takeOut(candidate);
        }
    }

    private void vacate(Contenders all) {
        PluginBundle former = Objects.requireNonNull(all.serving());
        parts.standings().stand(Map.of(former.bundleId(), Standing.LEAVING));
        all.serve(null);
        former.become(State.LEAVING, "", time.milliseconds());
        parts.departures().add(former);
        parts.report().removed(former);
    }

    /** It is not used: what serves goes on serving. */
    void broken(Contenders all, PluginBundle plugin, RefusedJar why) {
        if (all.candidate() == plugin) {
            all.candidate(null);
        }
        takeOut(plugin);
        plugin.broken(why, time.milliseconds());
        parts.report().refused(plugin, why, all.serving());
    }

    private void takeOut(PluginBundle plugin) {
        long bundleId = plugin.bundleId();
        if (bundleId >= 0 && parts.standings().inHand(bundleId) > 0) {
            parts.standings().stand(Map.of(bundleId, Standing.LEAVING)); // it has served before, and was to come back
            parts.departures().add(plugin);
        } else if (bundleId >= 0) {
            parts.departures().takeOut(plugin);
        }
    }
}
