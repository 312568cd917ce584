package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.Terms;
import io.gregor.plugins.internal.TrialSample.FilterTally;
import io.gregor.plugins.internal.TrialSample.ServedKey;
import io.gregor.plugins.internal.TrialSample.Tally;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Compares a plugin on trial with what it stands in front of, sample by sample, over at least the last minute. What the former
 * would have done is reckoned key by key, with as many requests of each key as the trial had: what it did with the key in the
 * same time; else, if that were too few requests, what it had done with it before the trial; else {@link #UNKNOWN_ANSWER_NS}
 * and no error. Owned by the deployer thread.
 */
final class TrialJudge {
    /** Fewer requests, or calls of filters, say nothing. */
    static final long FEWEST_USES = 50;

    /** Fewer faults, or fewer errors above what is expected, may be chance. */
    static final long FEWEST_FAULTS = 5;

    /** So many looks in a row have to find it slow: one pause of the machine is not the plugin's. */
    static final int SLOW_LOOKS = 3;

    /** What is measured until the plugin has been used so often is not counted as its time: its code is cold. */
    static final long WARM_USES = 20;

    /** How far back it is looked at least. */
    static final long WINDOW_MS = 60_000;

    /** What answering takes a former that has never served the key, and what a filter takes that nobody stands behind. */
    static final double UNKNOWN_ANSWER_NS = 50e6;

    static final double UNKNOWN_FILTER_NS = 1e6;

    /** A trial may always be slower by so much: below it, clocks and chance count. */
    static final double FREE_NS = 1e6;

    private static final double NS_PER_MS = 1e6;
    private static final double PERCENT = 100;

    /** Requests of these keys are answered when something happens, or in time; what counts is the work, not the wait. */
    private static final Set<Short> WAITING = Set.of(
            ApiKeys.FETCH.id,
            ApiKeys.JOIN_GROUP.id,
            ApiKeys.SYNC_GROUP.id,
            ApiKeys.SHARE_FETCH.id,
            ApiKeys.FETCH_SNAPSHOT.id);

    private final Terms terms;
    private final TrialSample start;
    private final Deque<TrialSample> window = new ArrayDeque<>();
    private TrialSample warm;
    private TrialSample last;
    private int slowLooks;

    /** Begins to look; the counters of the start hold what the former had done before. */
    TrialJudge(Terms terms, TrialSample start) {
        this.terms = terms;
        this.start = start;
        this.warm = start;
        this.last = start;
        window.add(start);
    }

    /** Looks again. Returns why the trial is over its limits, with the figures; empty if it is not. */
    Optional<String> look(TrialSample now) {
        last = now;
        if (warm.uses() - start.uses() < WARM_USES) {
            warm = now;
        }
        window.add(now);
        while (isEnough(now)) {
            window.removeFirst();
        }
        TrialSample done = now.since(window.getFirst());
        return outFilters(now)
                .or(() -> filterFaults(done))
                .or(() -> failures(done))
                .or(() -> errors(done))
                .or(() -> slow(now));
    }

    /** Only counts: for {@link #figures}. */
    void count(TrialSample now) {
        last = now;
    }

    /** Whether the window is long enough without its first sample. */
    private boolean isEnough(TrialSample now) {
        if (window.size() < 3) {
            return false;
        }
        TrialSample second = window.stream().skip(1).findFirst().orElseThrow();
        return now.atMs() - second.atMs() >= WINDOW_MS && now.uses() - second.uses() >= FEWEST_USES;
    }

    /** Whether it has served anything yet. */
    boolean isUsed() {
        return last.uses() > start.uses();
    }

    private Optional<String> outFilters(TrialSample now) {
        return now.filtersOut().isEmpty()
                ? Optional.empty()
                : Optional.of("its filters were put out: " + String.join(", ", now.filtersOut()));
    }

    private Optional<String> filterFaults(TrialSample done) {
        FilterTally trial = done.trialFilters();
        FilterTally former = done.formerFilters();
        double expected = former.calls() < FEWEST_USES ? 0 : (double) former.faults() / former.calls();
        return over(
                "filter faults",
                trial.faults(),
                trial.calls(),
                expected,
                trial.faults() >= FEWEST_FAULTS + expected * trial.calls());
    }

    /** A failure is nobody's but the handler's: no former excuses it. */
    private Optional<String> failures(TrialSample done) {
        Tally all = sum(done.trial());
        return over("failed requests", all.failures(), all.requests(), 0, all.failures() >= FEWEST_FAULTS);
    }

    private Optional<String> errors(TrialSample done) {
        Tally all = sum(done.trial());
        double expected = expected(done, tally -> (double) tally.bad() / tally.requests(), 0);
        return over(
                "requests with errors",
                all.bad(),
                all.requests(),
                expected,
                all.requests() >= FEWEST_USES && all.bad() >= FEWEST_FAULTS + expected * all.requests());
    }

    private Optional<String> over(String what, long bad, long all, double expected, boolean isEnough) {
        double share = all == 0 ? 0 : (double) bad / all;
        if (!isEnough || (share - expected) * PERCENT <= terms.errorPercent()) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%s are %.2f%% (%d of %d), the former's %.2f%%, limit %.2f%% above",
                what,
                share * PERCENT,
                bad,
                all,
                expected * PERCENT,
                terms.errorPercent()));
    }

    private Optional<String> slow(TrialSample now) {
        TrialSample from = warm.atMs() > window.getFirst().atMs() ? warm : window.getFirst();
        TrialSample done = now.since(from);
        Optional<String> reason = over(
                        "mean time to answer",
                        answerNs(done),
                        formerAnswerNs(done),
                        sum(done.trial()).requests())
                .or(() -> over(
                        "mean time of its filters",
                        filterNs(done.trialFilters()),
                        formerFilterNs(done),
                        done.trialFilters().calls()));
        slowLooks = reason.isPresent() ? slowLooks + 1 : 0;
        return slowLooks < SLOW_LOOKS ? Optional.empty() : reason;
    }

    private Optional<String> over(String what, double meanNs, double formerNs, long uses) {
        double limitNs = formerNs * terms.latencyFactor() + FREE_NS;
        if (uses < FEWEST_USES || meanNs <= limitNs) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%s is %.2f ms (%d of them), the former's %.2f ms, limit %.2f ms",
                what,
                meanNs / NS_PER_MS,
                uses,
                formerNs / NS_PER_MS,
                limitNs / NS_PER_MS));
    }

    private static double answerNs(TrialSample done) {
        long ns = done.trial().entrySet().stream()
                .mapToLong(entry -> timeNs(entry.getKey(), entry.getValue()))
                .sum();
        return (double) ns / Math.max(1, sum(done.trial()).requests());
    }

    private double formerAnswerNs(TrialSample done) {
        long uses = Math.max(1, sum(done.trial()).requests());
        double ns = 0;
        for (Map.Entry<ServedKey, Tally> entry : done.trial().entrySet()) {
            ServedKey key = entry.getKey();
            ns += entry.getValue().requests()
                    * formerly(done, key, tally -> (double) timeNs(key, tally) / tally.requests(), UNKNOWN_ANSWER_NS);
        }
        return ns / uses;
    }

    private double expected(TrialSample done, ToDoubleFunction<Tally> share, double unknown) {
        double all = 0;
        for (Map.Entry<ServedKey, Tally> entry : done.trial().entrySet()) {
            all += entry.getValue().requests() * formerly(done, entry.getKey(), share, unknown);
        }
        return all / Math.max(1, sum(done.trial()).requests());
    }

    private double formerly(TrialSample done, ServedKey key, ToDoubleFunction<Tally> figure, double unknown) {
        Tally meanwhile = done.former().getOrDefault(key, Tally.NONE);
        if (meanwhile.requests() >= FEWEST_USES) {
            return figure.applyAsDouble(meanwhile);
        }
        Tally before = start.former().getOrDefault(key, Tally.NONE);
        return before.requests() >= FEWEST_USES ? figure.applyAsDouble(before) : unknown;
    }

    private double formerFilterNs(TrialSample done) {
        if (done.formerFilters().calls() >= FEWEST_USES) {
            return filterNs(done.formerFilters());
        }
        return start.formerFilters().calls() >= FEWEST_USES ? filterNs(start.formerFilters()) : UNKNOWN_FILTER_NS;
    }

    private static double filterNs(FilterTally tally) {
        return (double) tally.ns() / Math.max(1, tally.calls());
    }

    private static long timeNs(ServedKey key, Tally tally) {
        return WAITING.contains(key.apiKey()) ? tally.busyNs() : tally.answerNs();
    }

    private static Tally sum(Map<ServedKey, Tally> tallies) {
        return tallies.values().stream().reduce(Tally.NONE, Tally::plus);
    }

    /** How it has done since the start, on one line, beside what the former would have done. */
    String figures() {
        TrialSample done = last.since(start);
        Tally all = sum(done.trial());
        long formerRequests = done.trial().keySet().stream()
                .mapToLong(key -> done.former().getOrDefault(key, Tally.NONE).requests())
                .sum();
        FilterTally filters = done.trialFilters();
        StringBuilder text = new StringBuilder();
        if (all.requests() > 0 || filters.calls() == 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "requests=%d errors=%d failures=%d meanMs=%.2f formerRequests=%d expectedErrorPercent=%.2f"
                            + " expectedMeanMs=%.2f",
                    all.requests(),
                    all.errors(),
                    all.failures(),
                    answerNs(done) / NS_PER_MS,
                    formerRequests,
                    expected(done, tally -> (double) tally.bad() / tally.requests(), 0) * PERCENT,
                    formerAnswerNs(done) / NS_PER_MS));
        }
        if (filters.calls() > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "%sfilterCalls=%d filterFaults=%d filterMeanMs=%.3f",
                    text.isEmpty() ? "" : " ",
                    filters.calls(),
                    filters.faults(),
                    filterNs(filters) / NS_PER_MS));
        }
        return text.toString();
    }
}
