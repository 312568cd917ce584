package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class FadingRateTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong count = new AtomicLong();
    private final FadingRate rate = new FadingRate(nowNs -> count.get(), false, 0);

    /** What Kafka's averages give when they are moved every five seconds without fail. */
    private static double moved(double average, double perSecond, int ticks) {
        double alpha = 1 - Math.exp(-5.0 / 60);
        double moved = average;
        for (int i = 0; i < ticks; i++) {
            moved += alpha * (perSecond - moved);
        }
        return moved;
    }

    private void happen(int times, long nowNs) {
        rate.update(nowNs);
        count.addAndGet(times);
    }

    private double perSecond(double perNs) {
        return perNs * SECOND;
    }

    @Test
    void showsARateFromTheFirstTickOn() {
        happen(50, SECOND);
        assertThat(rate.oneMinute(4 * SECOND)).isZero();
        assertThat(perSecond(rate.oneMinute(5 * SECOND))).isEqualTo(10, within(1e-9));
        assertThat(perSecond(rate.fifteenMinutes(5 * SECOND))).isEqualTo(10, within(1e-9));
    }

    @Test
    void movesAsKafkasAveragesWhenRequestsComeAllTheTime() {
        for (int second = 0; second < 300; second++) {
            happen(second < 60 ? 100 : 10, second * SECOND);
        }
        double expected = moved(100, 10, 48);
        assertThat(perSecond(rate.oneMinute(300 * SECOND))).isCloseTo(expected, Percentage.withPercentage(0.01));
    }

    @Test
    void fadesAfterAPauseAsIfItHadBeenMovedAllTheTime() {
        happen(500, 3 * SECOND);
        assertThat(perSecond(rate.oneMinute(65 * SECOND))).isEqualTo(moved(100, 0, 12), within(1e-9));
        happen(50, 66 * SECOND);
        assertThat(perSecond(rate.oneMinute(70 * SECOND))).isEqualTo(moved(moved(100, 0, 12), 10, 1), within(1e-9));
    }

    @Test
    void whatGrowsSteadilyIsSpreadOverAPause() {
        FadingRate idle = new FadingRate(nowNs -> nowNs / 2, true, 0);
        assertThat(idle.oneMinute(9 * SECOND)).isEqualTo(0.5, within(1e-9));
        assertThat(idle.oneMinute(600 * SECOND)).isEqualTo(0.5, within(1e-9));
        assertThat(idle.mean(600 * SECOND)).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void meanIsOfTheWholeTime() {
        happen(500, SECOND);
        assertThat(perSecond(rate.mean(100 * SECOND))).isEqualTo(5, within(1e-9));
        assertThat(rate.count(100 * SECOND)).isEqualTo(500);
    }
}
