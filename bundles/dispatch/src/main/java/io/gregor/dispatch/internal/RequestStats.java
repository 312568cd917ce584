package io.gregor.dispatch.internal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one role's requests. Shared: any thread counts and reads; see {@code add}. Each thread that counts (the
 * processors) writes to a stripe of its own, found by its number without a lock; reading adds the stripes up. The averages
 * of {@link FadingRate} move when a request comes or somebody looks: nobody is woken for them.
 */
final class RequestStats implements CompletedRequests {
    private static final long NS_PER_S = 1_000_000_000L;

    private final LongSupplier clockNs;
    private final long originNs;
    private final StatsSlots slots = new StatsSlots();
    private final Appearances appearances;
    private final AtomicLong nextTickNs;
    private final List<FadingRate> rates = new CopyOnWriteArrayList<>();
    private volatile Stripes stripes = new Stripes(new StatsStripe[8], List.of());

    /** Is told what comes for the first time, perhaps more than once; on the counting thread, so it must not block. */
    interface Appearances {
        void version(int slot, short version);

        void error(int slot, Errors error);
    }

    /** All stripes, and those of threads by the thread's number: a hash table at most half full. */
    private static final class Stripes {
        final @Nullable StatsStripe[] byThread;
        final List<StatsStripe> all;

        Stripes(@Nullable StatsStripe[] byThread, List<StatsStripe> all) {
            this.byThread = byThread;
            this.all = all;
        }
    }

    RequestStats(LongSupplier clockNs, Appearances appearances) {
        this.clockNs = clockNs;
        this.originNs = clockNs.getAsLong();
        this.appearances = appearances;
        this.nextTickNs = new AtomicLong(originNs + FadingRate.TICK_NS);
    }

    StatsSlots slots() {
        return slots;
    }

    /** Counts a request that is done; nothing is allocated, no lock is taken. */
    @Override
    public void add(RequestTimes times) {
        long nowNs = times.completedNs();
        long dueNs = nextTickNs.get();
        if (nowNs >= dueNs && nextTickNs.compareAndSet(dueNs, nowNs + FadingRate.TICK_NS)) {
            rates.forEach(rate -> rate.update(nowNs));
        }
        mine().add(times, slots.of(times.subject()), appearances);
    }

    /** A rate whose averages move with the requests. */
    FadingRate rate(LongUnaryOperator countAt, boolean isSteady) {
        FadingRate rate = new FadingRate(countAt, isSteady, clockNs.getAsLong());
        rates.add(rate);
        return rate;
    }

    /** Has the averages of a rate move with the requests. */
    void move(FadingRate rate) {
        rates.add(rate);
    }

    long nowNs() {
        return clockNs.getAsLong();
    }

    /** A figure of the requests in these slots. */
    Distribution distribution(RequestFigure figure, int... of) {
        List<FadingHistogram> parts = new ArrayList<>();
        forSlots(of, api -> collect(api, figure, parts));
        return Distribution.of(parts);
    }

    /** How much a figure was not exceeded by 99 of 100 requests of about the last minute, as shown; 0 if there were none. */
    double recentP99(RequestFigure figure) {
        List<FadingHistogram> parts = new ArrayList<>();
        for (StatsStripe stripe : stripes.all) {
            stripe.forAll(api -> collect(api, figure, parts));
        }
        Distribution all = Distribution.of(parts);
        long nowS = (clockNs.getAsLong() - originNs) / NS_PER_S;
        return all.recentCount(nowS) < 0.5 ? 0 : all.percentile(0.99) * figure.shownPerUnit();
    }

    /** How many requests there were in these slots. */
    long requests(int... of) {
        long[] sum = new long[1];
        forSlots(of, api -> sum[0] += api.requests());
        return sum[0];
    }

    /** How many requests of a version there were in these slots. */
    long ofVersion(int version, int... of) {
        long[] sum = new long[1];
        forSlots(of, api -> sum[0] += api.ofVersion(version));
        return sum[0];
    }

    /** How often there was an error in these slots. */
    long ofError(Errors error, int... of) {
        long[] sum = new long[1];
        forSlots(of, api -> sum[0] += api.ofError(error));
        return sum[0];
    }

    private void forSlots(int[] of, Consumer<ApiStats> reader) {
        for (StatsStripe stripe : stripes.all) {
            for (int slot : of) {
                stripe.forSlot(slot, reader);
            }
        }
    }

    private static void collect(ApiStats api, RequestFigure figure, List<FadingHistogram> parts) {
        FadingHistogram histogram = api.histogram(figure);
        if (histogram != null) {
            parts.add(histogram);
        }
    }

    private StatsStripe mine() {
        Thread thread = Thread.currentThread();
        StatsStripe found = find(stripes.byThread, thread);
        return found != null ? found : addStripe(thread);
    }

    private static @Nullable StatsStripe find(@Nullable StatsStripe[] byThread, Thread thread) {
        int mask = byThread.length - 1;
        int at = (int) thread.getId() & mask;
        StatsStripe there = byThread[at];
        while (there != null && there.owner() != thread) {
            at = (at + 1) & mask;
            there = byThread[at];
        }
        return there;
    }

    /** Once in a thread's life; what threads that have ended counted is put together meanwhile. */
    private synchronized StatsStripe addStripe(Thread thread) {
        long nowNs = clockNs.getAsLong();
        StatsStripe left = new StatsStripe(null, -1, originNs, nowNs);
        List<StatsStripe> all = new ArrayList<>();
        for (StatsStripe stripe : stripes.all) {
            Thread owner = stripe.owner();
            if (owner != null && owner.isAlive()) {
                all.add(stripe);
            } else {
                left.addAll(stripe);
            }
        }
        StatsStripe added = new StatsStripe(thread, unused(all), originNs, nowNs);
        all.add(added);
        @Nullable StatsStripe[] byThread = new StatsStripe[Math.max(8, Integer.highestOneBit(all.size()) * 4)];
        for (StatsStripe stripe : all) {
            put(byThread, stripe);
        }
        all.add(left);
        stripes = new Stripes(byThread, List.copyOf(all));
        return added;
    }

    /** The smallest number that none of these has. */
    private static int unused(List<StatsStripe> stripes) {
        BitSet used = new BitSet();
        stripes.forEach(stripe -> used.set(stripe.number()));
        return used.nextClearBit(0);
    }

    private static void put(@Nullable StatsStripe[] byThread, StatsStripe stripe) {
        Thread owner = stripe.owner();
        if (owner != null) {
            int mask = byThread.length - 1;
            int at = (int) owner.getId() & mask;
            while (byThread[at] != null) {
                at = (at + 1) & mask;
            }
            byThread[at] = stripe;
        }
    }
}
