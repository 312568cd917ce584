package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.EngineThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.fault.FaultHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared: any thread; see {@code resize} and {@code close}. The handler threads of one role, named
 * {@code data-plane-kafka-request-handler-<n>} from 0 up. What is to stop ends after the work in hand, the highest numbers
 * first.
 */
public final class HandlerPool implements FilterWatch.Replacement {
    private static final Logger LOGGER = LoggerFactory.getLogger(HandlerPool.class);
    private static final String PREFIX = "data-plane-kafka-request-handler-";

    /** Lost threads, as thread dumps show them. */
    private static final String LOST_PREFIX = "gregor-lost-request-handler-";

    private final RequestChannel channel;
    private final FaultHandler faults;
    private final IdleTime idle = new IdleTime();
    private final IdleTime idleOfAll;

    @GuardedBy("this")
    private final List<HandlerThread> threads = new ArrayList<>();

    @GuardedBy("this")
    private int lostThreads;

    /**
     * @param idleOfAll of the threads of all pools together
     */
    HandlerPool(RequestChannel channel, FaultHandler faults, IdleTime idleOfAll) {
        this.channel = channel;
        this.faults = faults;
        this.idleOfAll = idleOfAll;
    }

    /** Starts or retires threads until there are this many; returns at once. */
    synchronized void resize(int size) {
        while (threads.size() < size) {
            HandlerThread added = new HandlerThread(PREFIX + threads.size());
            threads.add(added);
            comes(added);
        }
        while (threads.size() > size) {
            HandlerSeat retired = threads.remove(threads.size() - 1).seat;
            leaves(retired);
            channel.retire(retired);
        }
    }

    /** How long its threads had nothing to do. */
    IdleTime idle() {
        return idle;
    }

    /**
     * Starts a thread of the same name in the place of one that does not come back from a filter, and gives that another
     * name; it ends if it comes back after all. Never interrupted: it may be reading a log, which that would close.
     *
     * @return the name of the lost thread
     */
    @Override
    public synchronized String replace(Thread lost) {
        String name = lost.getName();
        lost.setName(LOST_PREFIX + lostThreads++);
        for (int i = 0; i < threads.size(); i++) {
            HandlerThread left = threads.get(i);
            if (left.thread == lost) {
                leaves(left.seat);
                channel.lose(left.seat);
                HandlerThread added = new HandlerThread(name);
                threads.set(i, added);
                comes(added);
            }
        }
        return lost.getName();
    }

    private void comes(HandlerThread added) {
        long nowNs = System.nanoTime();
        idle.add(added.seat, nowNs);
        idleOfAll.add(added.seat, nowNs);
        added.thread.start();
    }

    private void leaves(HandlerSeat seat) {
        long nowNs = System.nanoTime();
        idle.remove(seat, nowNs);
        idleOfAll.remove(seat, nowNs);
    }

    /** Threads that are to run, whether they work or sleep. */
    synchronized int size() {
        return threads.size();
    }

    /** Closes the channel and waits until all threads have ended, but not longer than this. */
    synchronized void close(Duration limit) {
        channel.close();
        long deadlineNs = System.nanoTime() + limit.toNanos();
        for (HandlerThread ending : threads) {
            leaves(ending.seat);
            awaitEnd(ending.thread, deadlineNs);
        }
        threads.clear();
    }

    private static void awaitEnd(Thread thread, long deadlineNs) {
        try {
            long leftMs = Math.max(1, (deadlineNs - System.nanoTime()) / 1_000_000);
            thread.join(leftMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOGGER.warn("handler thread still busy at the end; it ends with its request: thread={}", thread.getName());
        }
    }

    /** Owned by its thread: takes work and does it until the channel tells it to end. */
    private final class HandlerThread {
        private final Thread thread;
        private final HandlerSeat seat;

        HandlerThread(String name) {
            thread = EngineThread.daemon(name, this::run);
            seat = new HandlerSeat(thread);
        }

        private void run() {
            try (RequestLocal local = RequestLocal.withThreadConfinedCaching()) {
                Work work = channel.take(seat);
                while (work != null) {
                    work.run(local);
                    work = channel.take(seat);
                }
            } catch (Throwable fault) {
                faults.handleFault("request handler loop failed: thread=" + thread.getName(), fault);
            }
        }
    }
}
