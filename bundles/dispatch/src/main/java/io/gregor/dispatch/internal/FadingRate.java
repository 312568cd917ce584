package io.gregor.dispatch.internal;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongUnaryOperator;

/**
 * How often something happens: Kafka's meter, with averages over about 1, 5 and 15 minutes that move every 5 seconds. Shared:
 * any thread; see {@code update}. Nobody is woken for it: the moves that are due are made when it is looked at, or told that
 * time has passed. What is counted as it comes tells so before it counts, so that it belongs to the first of several moves;
 * what grows steadily belongs to all of them.
 */
final class FadingRate {
    /** How often the averages move. */
    static final long TICK_NS = 5_000_000_000L;

    private static final double TICKS_PER_MINUTE = 60e9 / TICK_NS;
    private static final double[] KEPT = {kept(1), kept(5), kept(15)};

    private static final AtomicReferenceFieldUpdater<FadingRate, Averages> NOW =
            AtomicReferenceFieldUpdater.newUpdater(FadingRate.class, Averages.class, "now");

    private final LongUnaryOperator countAt;
    private final boolean isSteady;
    private final long startNs;
    private volatile Averages now;

    /** The averages for each nanosecond at a tick, and what had been counted when; not started before the first tick. */
    private record Averages(
            long tickNs, long countedNs, long count, boolean started, double one, double five, double fifteen) {}

    /**
     * @param countAt how much has been counted at a time; it never falls
     * @param isSteady whether it grows without anybody telling
     * @param nowNs the time to start from
     */
    FadingRate(LongUnaryOperator countAt, boolean isSteady, long nowNs) {
        this.countAt = countAt;
        this.isSteady = isSteady;
        this.startNs = nowNs;
        this.now = new Averages(nowNs, nowNs, 0, false, 0, 0, 0);
    }

    /** Makes the moves that are due. Never blocks: of two threads one makes them. */
    void update(long nowNs) {
        Averages old = now;
        long ticks = (nowNs - old.tickNs()) / TICK_NS;
        if (ticks <= 0) {
            return;
        }
        long count = Math.max(old.count(), countAt.applyAsLong(nowNs));
        double rate = (double) (count - old.count()) / (isSteady ? nowNs - old.countedNs() : TICK_NS);
        NOW.compareAndSet(
                this,
                old,
                new Averages(
                        old.tickNs() + ticks * TICK_NS,
                        nowNs,
                        count,
                        true,
                        moved(old.started(), old.one(), rate, KEPT[0], ticks),
                        moved(old.started(), old.five(), rate, KEPT[1], ticks),
                        moved(old.started(), old.fifteen(), rate, KEPT[2], ticks)));
    }

    /** How much has been counted. */
    long count(long nowNs) {
        return countAt.applyAsLong(nowNs);
    }

    /** For each nanosecond since the start. */
    double mean(long nowNs) {
        long elapsedNs = nowNs - startNs;
        return elapsedNs <= 0 ? 0 : (double) count(nowNs) / elapsedNs;
    }

    /** For each nanosecond over about the last minute; 0 within the first seconds. */
    double oneMinute(long nowNs) {
        update(nowNs);
        return now.one();
    }

    /** For each nanosecond over about the last five minutes. */
    double fiveMinutes(long nowNs) {
        update(nowNs);
        return now.five();
    }

    /** For each nanosecond over about the last fifteen minutes. */
    double fifteenMinutes(long nowNs) {
        update(nowNs);
        return now.fifteen();
    }

    /** Whether there are averages yet. */
    boolean isStarted(long nowNs) {
        update(nowNs);
        return now.started();
    }

    private double moved(boolean started, double average, double rate, double kept, long ticks) {
        if (isSteady) {
            return started ? rate + (average - rate) * Math.pow(kept, (double) ticks) : rate;
        }
        double first = started ? rate + (average - rate) * kept : rate;
        return first * Math.pow(kept, (double) (ticks - 1));
    }

    private static double kept(int minutes) {
        return Math.exp(-1 / TICKS_PER_MINUTE / minutes);
    }
}
