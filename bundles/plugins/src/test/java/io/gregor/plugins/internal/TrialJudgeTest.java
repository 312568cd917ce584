package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.plugin.Plugins.Terms;
import io.gregor.plugins.internal.TrialSample.FilterTally;
import io.gregor.plugins.internal.TrialSample.ServedKey;
import io.gregor.plugins.internal.TrialSample.Tally;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Counters that go up second by second, and what is found in them. */
class TrialJudgeTest {
    private static final long MS = 1_000_000;
    private static final ServedKey METADATA = new ServedKey("broker", (short) 3);
    private static final ServedKey PRODUCE = new ServedKey("broker", (short) 0);
    private static final ServedKey FETCH = new ServedKey("broker", (short) 1);

    private final Map<ServedKey, Tally> trial = new HashMap<>();
    private final Map<ServedKey, Tally> former = new HashMap<>();
    private FilterTally filters = FilterTally.NONE;
    private FilterTally formerFilters = FilterTally.NONE;
    private List<String> out = List.of();
    private long nowMs;

    private TrialJudge judge(double errorPercent, double latencyFactor) {
        return new TrialJudge(new Terms(30, Duration.ZERO, errorPercent, latencyFactor), sample());
    }

    private TrialSample sample() {
        return new TrialSample(nowMs, Map.copyOf(trial), Map.copyOf(former), filters, formerFilters, out);
    }

    private Optional<String> look(TrialJudge judge) {
        nowMs += 1000;
        return judge.look(sample());
    }

    private static void serve(Map<ServedKey, Tally> who, ServedKey key, long requests, long errors, double meanMs) {
        long ns = (long) (meanMs * MS * requests);
        who.merge(key, new Tally(requests, 0, errors, ns, ns), Tally::plus);
    }

    @Test
    void whatDoesAsTheFormerDoesHoldsItsLimits() {
        TrialJudge judge = judge(1, 2);
        for (int second = 0; second < 100; second++) {
            serve(trial, METADATA, 100, 3, 2);
            serve(former, METADATA, 300, 9, 2);
            assertThat(look(judge)).isEmpty();
        }
        assertThat(judge.figures()).startsWith("requests=10000 errors=300").contains("expectedErrorPercent=3.00");
    }

    @Test
    void errorsAboveThoseOfTheFormerAreToldWithTheFigures() {
        TrialJudge judge = judge(1, 2);
        serve(trial, METADATA, 100, 10, 2);
        serve(former, METADATA, 1000, 20, 2);

        assertThat(look(judge))
                .contains("requests with errors are 10.00% (10 of 100), the former's 2.00%, limit 1.00% above");
    }

    @Test
    void fewRequestsSayNothingOfErrors() {
        TrialJudge judge = judge(1, 2);
        serve(trial, METADATA, 49, 49, 2);
        assertThat(look(judge)).isEmpty();

        serve(trial, METADATA, 1, 1, 2);
        assertThat(look(judge)).isPresent();
    }

    @Test
    void failuresNeedNoFiftyRequestsAndNoFormerExcusesThem() {
        TrialJudge judge = judge(1, 2);
        trial.put(METADATA, new Tally(5, 5, 0, 0, 0));
        former.put(METADATA, new Tally(1000, 1000, 1000, 0, 0));

        assertThat(look(judge))
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("failed requests are 100.00%"));
    }

    @Test
    void slownessHasToLast() {
        TrialJudge judge = judge(1, 2);
        for (int second = 0; second < 3; second++) {
            serve(trial, METADATA, 1000, 0, 1);
            serve(former, METADATA, 1000, 0, 1);
            assertThat(look(judge)).isEmpty();
        }
        serve(trial, METADATA, 1000, 0, 20);
        assertThat(look(judge)).isEmpty();
        assertThat(look(judge)).isEmpty();

        assertThat(look(judge))
                .hasValueSatisfying(reason ->
                        assertThat(reason).startsWith("mean time to answer is").endsWith("limit 3.00 ms"));
    }

    @Test
    void theFirstCallsOfColdCodeAreNotItsTime() {
        TrialJudge judge = judge(1, 2);
        serve(former, METADATA, 1000, 0, 1);
        serve(trial, METADATA, 19, 0, 100);
        assertThat(look(judge)).isEmpty();
        for (int second = 0; second < 10; second++) {
            serve(trial, METADATA, 20, 0, 1);
            assertThat(look(judge)).isEmpty();
        }
    }

    @Test
    void keysAreComparedEachWithItself() {
        TrialJudge judge = judge(1, 2);
        for (int second = 0; second < 5; second++) {
            serve(trial, PRODUCE, 1000, 0, 30);
            serve(former, PRODUCE, 100, 0, 30);
            serve(former, METADATA, 10_000, 0, 0.1);
            assertThat(look(judge)).isEmpty();
        }
    }

    @Test
    void ofRequestsThatWaitTheWorkCountsNotTheWait() {
        TrialJudge judge = judge(1, 2);
        for (int second = 0; second < 5; second++) {
            trial.merge(FETCH, new Tally(100, 0, 0, 100 * MS, 100 * 500 * MS), Tally::plus);
            former.merge(FETCH, new Tally(100, 0, 0, 100 * MS, 100 * MS), Tally::plus);
            assertThat(look(judge)).isEmpty();
        }
    }

    @Test
    void aFormerThatServesNothingMeanwhileIsTakenAsItWasBefore() {
        serve(former, METADATA, 1000, 0, 1);
        TrialJudge judge = judge(1, 2);
        serve(trial, METADATA, 20, 0, 4);
        look(judge);
        serve(trial, METADATA, 1000, 0, 4);
        look(judge);
        look(judge);

        assertThat(look(judge))
                .contains("mean time to answer is 4.00 ms (1000 of them), the former's 1.00 ms, limit 3.00 ms");
    }

    @Test
    void withoutAFormerTheLimitIsAbsolute() {
        TrialJudge judge = judge(1, 2);
        for (int second = 0; second < 5; second++) {
            serve(trial, METADATA, 100, 0, 100);
            assertThat(look(judge)).isEmpty();
        }
        serve(trial, METADATA, 1000, 0, 200);
        look(judge);
        look(judge);

        assertThat(look(judge)).hasValueSatisfying(reason -> assertThat(reason).endsWith("limit 101.00 ms"));
    }

    @Test
    void whatGoesBadLateIsNotHiddenByAGoodPast() {
        TrialJudge judge = judge(1, 2);
        for (int second = 0; second < 600; second++) {
            serve(trial, METADATA, 100, 0, 1);
            assertThat(look(judge)).isEmpty();
        }
        for (int second = 0; second < 3; second++) {
            serve(trial, METADATA, 100, 50, 1);
        }

        assertThat(look(judge)).hasValueSatisfying(reason -> assertThat(reason).contains("(150 of"));
    }

    @Test
    void aFilterThatWasPutOutEndsTheTrial() {
        TrialJudge judge = judge(1, 2);
        out = List.of("Masking");

        assertThat(look(judge)).contains("its filters were put out: Masking");
    }

    @Test
    void faultsOfFiltersEndTheTrial() {
        TrialJudge judge = judge(1, 2);
        filters = new FilterTally(400, 4, MS);
        assertThat(look(judge)).isEmpty();
        filters = new FilterTally(400, 5, MS);

        assertThat(look(judge)).contains("filter faults are 1.25% (5 of 400), the former's 0.00%, limit 1.00% above");
    }

    @Test
    void aFilterIsMeasuredAgainstItsFormerVersion() {
        formerFilters = new FilterTally(1000, 0, 10_000 * MS);
        TrialJudge judge = judge(1, 2);
        filters = new FilterTally(20, 0, 20 * 20 * MS);
        look(judge);
        filters = filters.plus(new FilterTally(100, 0, 100 * 20 * MS));
        for (int second = 0; second < 5; second++) {
            assertThat(look(judge)).isEmpty();
        }
        filters = filters.plus(new FilterTally(1000, 0, 1000 * 30 * MS));
        look(judge);
        look(judge);

        assertThat(look(judge)).hasValueSatisfying(reason -> assertThat(reason).startsWith("mean time of its filters"));
    }

    @Test
    void figuresOfTheFormerAreThoseOfTheKeysThatTheTrialServes() {
        TrialJudge judge = judge(1, 2);
        serve(trial, METADATA, 10, 1, 2);
        serve(former, METADATA, 20, 0, 1);
        serve(former, PRODUCE, 1000, 500, 100);
        judge.count(sample());

        assertThat(judge.figures())
                .isEqualTo("requests=10 errors=1 failures=0 meanMs=2.00 formerRequests=20 expectedErrorPercent=0.00"
                        + " expectedMeanMs=50.00");
    }

    @Test
    void knowsWhetherItWasUsedAtAll() {
        TrialJudge judge = judge(1, 2);
        look(judge);
        assertThat(judge.isUsed()).isFalse();
        serve(trial, METADATA, 1, 0, 1);
        look(judge);
        assertThat(judge.isUsed()).isTrue();
    }
}
