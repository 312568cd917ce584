package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.Outcome;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what becomes of trials: to whoever has ordered it, in the log and in the journal. Owned by the deployer thread. */
final class TrialReport {
    private static final Logger LOGGER = LoggerFactory.getLogger(TrialReport.class);
    private static final String SHELL = "shell";
    private static final String NODE = "node";

    private final DeployReport report;

    TrialReport(DeployReport report) {
        this.report = report;
    }

    /** A jar cannot be tried; only who has ordered it is told. */
    Outcome refused(Path jar, RefusedJar why) {
        return new Outcome(false, "not tried, nothing has changed: file=" + jar.getFileName() + ": " + why.line());
    }

    /** It serves its share. */
    Outcome begun(Trial trial, @Nullable PluginBundle former) {
        LOGGER.info(
                "plugin on trial: plugin={} instead={} {}",
                trial.plugin(),
                shown(former),
                trial.lines(0).get(0));
        report.note(trial.who(), SHELL, without(trial, former), with(trial, former), "applied");
        return new Outcome(
                true,
                "on trial: plugin=" + trial.plugin() + " share=" + trial.terms().sharePercent() + "% former="
                        + shown(former) + "; plugin:show " + trial.plugin().name() + " tells how it does");
    }

    /** It was over a limit: the one warning of it. */
    void takenOut(Trial trial, @Nullable PluginBundle former, String fault) {
        LOGGER.warn(
                "plugin on trial taken out: plugin={} now={} reason={}; {}",
                trial.plugin(),
                shown(former),
                fault,
                figures(trial));
        report.note(
                "",
                NODE,
                with(trial, former),
                without(trial, former),
                "applied, taken out: " + fault + "; " + figures(trial));
    }

    /** It serves all from now on. */
    Outcome kept(Trial trial, @Nullable PluginBundle former, String who, String door) {
        LOGGER.info(
                "plugin kept after its trial: plugin={} instead={} {}", trial.plugin(), shown(former), figures(trial));
        report.note(
                who,
                door,
                with(trial, former),
                Map.of(subject(trial), trial.plugin().version()),
                "applied, kept: " + figures(trial));
        return new Outcome(true, "kept: plugin=" + trial.plugin() + " instead=" + shown(former) + " " + figures(trial));
    }

    /** Its time is over, and its jar cannot come to {@code deploy/}. */
    void notKept(Trial trial, String why) {
        LOGGER.warn(
                "plugin stays on trial, it has held its limits and cannot be kept: plugin={} reason={}",
                trial.plugin(),
                why);
    }

    /** Somebody has ended it. */
    Outcome removed(Trial trial, @Nullable PluginBundle former, String who) {
        LOGGER.info("trial ended: plugin={} now={} {}", trial.plugin(), shown(former), figures(trial));
        report.note(who, SHELL, with(trial, former), without(trial, former), "applied, trial ended: " + figures(trial));
        return new Outcome(
                true, "trial ended: plugin=" + trial.plugin() + " now=" + shown(former) + " " + figures(trial));
    }

    private static String figures(Trial trial) {
        TrialJudge judge = trial.judge();
        return judge == null ? "" : judge.figures();
    }

    private static Map<String, String> without(Trial trial, @Nullable PluginBundle former) {
        return former == null ? Map.of() : Map.of(subject(trial), DeployReport.version(former));
    }

    private static Map<String, String> with(Trial trial, @Nullable PluginBundle former) {
        String standing = (former == null ? "" : DeployReport.version(former) + ", ") + trial.standing();
        return Map.of(subject(trial), standing);
    }

    private static String subject(Trial trial) {
        return DeployReport.subject(trial.plugin().name());
    }

    private static String shown(@Nullable PluginBundle plugin) {
        return plugin == null ? "none" : Objects.toString(plugin);
    }
}
