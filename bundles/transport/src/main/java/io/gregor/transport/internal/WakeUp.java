package io.gregor.transport.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Wakes a thread that sleeps on its selector, and only one that sleeps: a wake-up is a system call for each side. Shared:
 * any thread calls {@link #call}; the sleeper calls the rest.
 *
 * <p>No call is lost: who has work adds it first and calls then; who wants to sleep announces it first and looks for work
 * then. So at least one of the two sees the other.
 */
final class WakeUp {
    private final AtomicBoolean announced = new AtomicBoolean();
    private final Runnable alarm;

    /** Sounds this alarm, one that also ends a sleep which begins after it. */
    WakeUp(Runnable alarm) {
        this.alarm = alarm;
    }

    /** There is work: wakes the sleeper if it sleeps or is about to. */
    void call() {
        if (announced.get() && announced.compareAndSet(true, false)) {
            alarm.run();
        }
    }

    /** The sleeper will sleep unless it finds work now. */
    void announceSleep() {
        announced.set(true);
    }

    /** The sleeper is awake. */
    void awake() {
        announced.set(false);
    }
}
