package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class FadingHistogramTest {
    private final FadingHistogram histogram = new FadingHistogram(0, 0);

    private static double weight(long second) {
        return Math.exp(FadingHistogram.ALPHA * second);
    }

    private Distribution read() {
        return Distribution.of(List.of(histogram));
    }

    @Test
    void percentilesAreTrueToThreePercentOverAllSizes() {
        for (long size : new long[] {10, 1_000, 1_000_000, 1_000_000_000_000L}) {
            FadingHistogram one = new FadingHistogram(0, 0);
            for (long i = 1; i <= 1_000; i++) {
                one.record(i * size / 10, 1);
            }
            Distribution values = Distribution.of(List.of(one));
            assertThat(values.percentile(0.5)).isCloseTo(50.0 * size, Percentage.withPercentage(3));
            assertThat(values.percentile(0.99)).isCloseTo(99.0 * size, Percentage.withPercentage(3));
            assertThat(values.percentile(1)).isEqualTo(100.0 * size, within(3.0 * size));
        }
    }

    @Test
    void smallValuesAreExact() {
        for (int i = 0; i < 10; i++) {
            histogram.record(i < 5 ? 3 : 17, 1);
        }
        assertThat(read().percentile(0.5)).isEqualTo(3);
        assertThat(read().percentile(0.6)).isEqualTo(17);
    }

    @Test
    void largestValueThatThereIsCanBeRecorded() {
        histogram.record(Long.MAX_VALUE, 1);
        histogram.record(0, 1);
        assertThat(read().max()).isEqualTo((double) Long.MAX_VALUE);
        assertThat(read().percentile(0.99)).isCloseTo((double) Long.MAX_VALUE, Percentage.withPercentage(3));
        assertThat(read().percentile(0.1)).isZero();
    }

    @Test
    void oldValuesFadeFromThePercentilesWhenNewOnesCome() {
        for (int i = 0; i < 1_000; i++) {
            histogram.record(500, weight(0));
        }
        for (int i = 0; i < 1_000; i++) {
            histogram.record(10, weight(60));
        }
        assertThat(read().percentile(0.8)).isEqualTo(500, within(10.0));
        for (int i = 0; i < 1_000; i++) {
            histogram.record(10, weight(360));
        }
        assertThat(read().percentile(0.99)).isEqualTo(10);
    }

    @Test
    void whatWasEverSeenDoesNotFade() {
        histogram.record(500, weight(0));
        histogram.record(100, weight(100_000));
        histogram.record(300, weight(100_000));
        Distribution values = read();
        assertThat(values.count()).isEqualTo(3);
        assertThat(values.min()).isEqualTo(100);
        assertThat(values.max()).isEqualTo(500);
        assertThat(values.mean()).isEqualTo(300);
        assertThat(values.stdDev()).isEqualTo(200);
    }

    @Test
    void movingTheLandmarkChangesNoPercentile() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            histogram.record(random.nextInt(10_000), weight(i / 10));
        }
        Distribution before = read();

        histogram.rescale(200);

        for (double quantile : new double[] {0.5, 0.75, 0.99}) {
            assertThat(read().percentile(quantile)).isEqualTo(before.percentile(quantile));
        }
        assertThat(read().recentCount(200)).isCloseTo(before.recentCount(200), Percentage.withPercentage(0.001));
        histogram.record(50_000, 1e6);
        assertThat(read().percentile(0.5)).isEqualTo(50_000, within(1_000.0));
    }

    @Test
    void histogramsWithDifferentLandmarksAreReadTogether() {
        FadingHistogram younger = new FadingHistogram(0, 300);
        for (int i = 0; i < 100; i++) {
            histogram.record(500, weight(300));
            younger.record(10, 1);
        }
        Distribution both = Distribution.of(List.of(histogram, younger));
        assertThat(both.count()).isEqualTo(200);
        assertThat(both.percentile(0.49)).isEqualTo(10);
        assertThat(both.percentile(0.51)).isEqualTo(500, within(10.0));
    }

    @Test
    void whatCameAMinuteAgoCountsLessThanHalfAsRecent() {
        for (int i = 0; i < 100; i++) {
            histogram.record(5, weight(10));
        }
        assertThat(read().recentCount(10)).isCloseTo(100, within(0.001));
        assertThat(read().recentCount(70)).isBetween(30.0, 50.0);
        assertThat(read().recentCount(700)).isLessThan(0.01);
    }

    @Test
    void readsAsEmptyBeforeTheFirstValue() {
        Distribution values = read();
        assertThat(values.count()).isZero();
        assertThat(values.min()).isZero();
        assertThat(values.mean()).isZero();
        assertThat(values.stdDev()).isZero();
        assertThat(values.percentile(0.99)).isZero();
        assertThat(Distribution.of(List.of()).percentile(0.99)).isZero();
    }
}
