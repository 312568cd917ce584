package io.gregor.transport.internal;

import org.apache.kafka.common.metrics.MetricConfig;

/**
 * Kafka's sampling of a rate: {@code metrics.num.samples} windows of {@code metrics.sample.window.ms}, the last of which is
 * not over. Numbered from 0. Immutable.
 *
 * @param startNs when the first window began
 * @param lengthNs how long a window is
 * @param count how many of them make up the recent time
 */
record SampleWindows(long startNs, long lengthNs, int count) {
    private static final long NS_PER_MS = 1_000_000L;
    private static final double NS_PER_SECOND = 1e9;

    /** The windows of a metrics registry, from now on. */
    static SampleWindows of(MetricConfig config, long nowNs) {
        return new SampleWindows(nowNs, config.timeWindowMs() * NS_PER_MS, Math.max(1, config.samples()));
    }

    /** The window of this time. */
    long index(long nowNs) {
        return Math.max(0, (nowNs - startNs) / lengthNs);
    }

    /** When a window begins. */
    long beginNs(long index) {
        return startNs + index * lengthNs;
    }

    /** The first of the windows that make up the recent time. */
    long oldest(long nowNs) {
        return Math.max(0, index(nowNs) - count + 1);
    }

    /** How long the recent time is. */
    long recentNs(long nowNs) {
        return Math.max(1, nowNs - beginNs(oldest(nowNs)));
    }

    /** An amount of the recent time as a rate. As in Kafka, a time that has just begun counts as all windows but the last. */
    double perSecond(long amount, long nowNs) {
        long overNs = Math.max(recentNs(nowNs), Math.max(NS_PER_MS, (count - 1) * lengthNs));
        return amount * NS_PER_SECOND / overNs;
    }
}
