package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.Outcome;
import io.gregor.internal.plugin.Plugins.Terms;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One plugin on trial. Owned by the deployer thread.
 *
 * <pre>
 *  installed ──▶ looked at ──ready──▶ on trial ──▶ kept, or taken out
 *                    └──broken, or too late──▶ refused
 * </pre>
 */
final class Trial {
    private static final double MS_PER_SECOND = 1e3;

    private final PluginBundle plugin;
    private final Path copy;
    private final Terms terms;
    private final String who;
    private final CompletableFuture<Outcome> begun;
    private @Nullable TrialJudge judge;
    private long beganMs;
    private long nextLookMs;
    private boolean isLeftOpen;

    /**
     * Not looked at yet.
     *
     * @param copy the content of its jar, until the trial is over
     * @param begun ends when it serves its share, or has failed to
     */
    Trial(PluginBundle plugin, Path copy, Terms terms, String who, CompletableFuture<Outcome> begun) {
        this.plugin = plugin;
        this.copy = copy;
        this.terms = terms;
        this.who = who;
        this.begun = begun;
    }

    PluginBundle plugin() {
        return plugin;
    }

    Path copy() {
        return copy;
    }

    Terms terms() {
        return terms;
    }

    /** Who has put it on trial. */
    String who() {
        return who;
    }

    CompletableFuture<Outcome> begun() {
        return begun;
    }

    /** It serves its share from now on. */
    void serves(TrialJudge judging, long nowMs) {
        judge = judging;
        beganMs = nowMs;
    }

    /** Who judges it; null while it does not serve yet. */
    @Nullable
    TrialJudge judge() {
        return judge;
    }

    /** Whether it is to be looked at; the next time is a second later. */
    boolean isDue(long nowMs) {
        if (nowMs < nextLookMs) {
            return false;
        }
        nextLookMs = nowMs + Trials.SAMPLE_MS;
        return true;
    }

    /** Whether it has served for as long as it was to, and may be kept. */
    boolean isOver(long nowMs) {
        TrialJudge judging = judge;
        return judging != null
                && !isLeftOpen
                && !terms.duration().isZero()
                && judging.isUsed()
                && nowMs - beganMs >= terms.duration().toMillis();
    }

    /** It cannot be kept by itself: from now on somebody has to end it. */
    void leaveOpen() {
        isLeftOpen = true;
    }

    /** What stands in the journal while it is on trial. */
    String standing() {
        return plugin.version() + " on trial (" + terms.sharePercent() + "%)";
    }

    /** Its terms and how it does, a line each. */
    List<String> lines(long nowMs) {
        TrialJudge judging = judge;
        String limits = String.format(
                Locale.ROOT,
                "share=%d%% maxErrors=%s%% maxLatency=%sx begunBy=%s",
                terms.sharePercent(),
                number(terms.errorPercent()),
                number(terms.latencyFactor()),
                who);
        if (judging == null) {
            return List.of(limits);
        }
        String time = String.format(
                Locale.ROOT,
                "sinceSeconds=%.0f %s",
                (nowMs - beganMs) / MS_PER_SECOND,
                terms.duration().isZero() || isLeftOpen
                        ? "end=plugin:keep or plugin:remove"
                        : "keptAfterSeconds=" + number(terms.duration().toMillis() / MS_PER_SECOND));
        return List.of(limits, time, judging.figures());
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
