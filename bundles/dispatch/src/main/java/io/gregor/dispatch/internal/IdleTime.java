package io.gregor.dispatch.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How long handler threads had nothing to do, as the mean of the threads there were. Shared: any thread; never blocks. Grows
 * steadily while threads sleep, without their being woken.
 */
public final class IdleTime {
    private final AtomicReference<Sum> sum = new AtomicReference<>(new Sum(List.of(), 0, 0));

    /**
     * What was summed up at one moment.
     *
     * @param seats the threads that count
     * @param totalNs how long they have slept together
     * @param meanNs what all threads that counted until then have slept, each for its share
     */
    private record Sum(List<HandlerSeat> seats, long totalNs, long meanNs) {
        Sum at(long nowNs) {
            long nowTotalNs = total(seats, nowNs);
            return nowTotalNs <= totalNs
                    ? this
                    : new Sum(seats, nowTotalNs, meanNs + (nowTotalNs - totalNs) / seats.size());
        }

        static long total(List<HandlerSeat> seats, long nowNs) {
            long total = 0;
            for (HandlerSeat seat : seats) {
                total += seat.idleNs(nowNs);
            }
            return total;
        }
    }

    /** The time until now, in nanoseconds; a thread that slept all the time makes as much as the time itself. */
    long ns(long nowNs) {
        return sum.updateAndGet(now -> now.at(nowNs)).meanNs();
    }

    /** From now on this thread counts. */
    void add(HandlerSeat seat, long nowNs) {
        sum.updateAndGet(now -> {
            List<HandlerSeat> seats = new ArrayList<>(now.seats());
            seats.add(seat);
            return changed(now, seats, nowNs);
        });
    }

    /** From now on this thread does not count. */
    void remove(HandlerSeat seat, long nowNs) {
        sum.updateAndGet(now -> {
            List<HandlerSeat> seats = new ArrayList<>(now.seats());
            seats.remove(seat);
            return changed(now, seats, nowNs);
        });
    }

    private static Sum changed(Sum now, List<HandlerSeat> seats, long nowNs) {
        return new Sum(seats, Sum.total(seats, nowNs), now.at(nowNs).meanNs());
    }
}
