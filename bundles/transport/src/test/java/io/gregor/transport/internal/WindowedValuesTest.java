package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WindowedValuesTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long START_NS = -5 * SECOND_NS;

    private final SampleWindows windows = new SampleWindows(START_NS, 30 * SECOND_NS, 2);
    private final WindowedSum sum = new WindowedSum(windows);
    private final WindowedMax max = new WindowedMax(windows);
    private final TimeShare share = new TimeShare(windows);

    @Test
    void countsTheRateOverTheRunningWindowAndTheOneBefore() {
        sum.add(60, at(10));
        sum.add(30, at(40));

        assertThat(sum.perSecond(at(45))).isEqualTo(2.0);
        assertThat(sum.perSecond(at(65))).isCloseTo(30 / 35.0, within(1e-9));
        assertThat(sum.total()).isEqualTo(90);
    }

    @Test
    void fadesWithoutAnyoneTouchingIt() {
        sum.add(60, at(10));
        max.note(7, at(10));

        assertThat(sum.recent(at(59))).isEqualTo(60);
        assertThat(sum.recent(at(60))).isZero();
        assertThat(max.recent(at(59))).isEqualTo(7);
        assertThat(max.recent(at(60))).isEqualTo(WindowedMax.NONE);
    }

    @Test
    void countsWhatComesAfterALongQuietTimeForTheWindowInWhichItComes() {
        sum.add(60, at(10));
        sum.add(1, at(1000));

        assertThat(sum.recent(at(1001))).isEqualTo(1);
        assertThat(sum.recent(at(1049))).isEqualTo(1);
        assertThat(sum.recent(at(1050))).isZero();
    }

    @Test
    void doesNotExaggerateTheRateOfTheFirstSeconds() {
        sum.add(30, at(1));
        assertThat(sum.perSecond(at(1))).isEqualTo(1.0);
    }

    @Test
    void keepsTheLargestValueOfEachWindow() {
        max.note(9, at(5));
        max.note(4, at(35));
        max.note(2, at(62));

        assertThat(max.recent(at(40))).isEqualTo(9);
        assertThat(max.recent(at(65))).isEqualTo(4);
        assertThat(max.recent(at(95))).isEqualTo(2);
    }

    @Test
    void knowsTheShareOfASleepThatLasts() {
        share.begin(at(10));
        share.end(at(20));
        share.begin(at(25));

        assertThat(share.ratio(at(28))).isCloseTo(13 / 28.0, within(1e-9));
        assertThat(share.ratio(at(100))).isEqualTo(1.0);
        assertThat(share.totalNs(at(100))).isEqualTo(85 * SECOND_NS);
    }

    @Test
    void dividesASleepBetweenTheWindowsItLasts() {
        share.begin(at(20));
        share.end(at(70));

        assertThat(share.recentNs(at(70))).isEqualTo(40 * SECOND_NS);
        assertThat(share.recentNs(at(89))).isEqualTo(40 * SECOND_NS);
        assertThat(share.recentNs(at(90))).isEqualTo(10 * SECOND_NS);
        assertThat(share.recentNs(at(120))).isZero();
        assertThat(share.totalNs(at(120))).isEqualTo(50 * SECOND_NS);
    }

    private static long at(int second) {
        return START_NS + second * SECOND_NS;
    }
}
