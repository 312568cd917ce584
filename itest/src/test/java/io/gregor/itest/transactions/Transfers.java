package io.gregor.itest.transactions;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the workers of a transfer test know of their own doings. Shared: any thread. */
final class Transfers {
    /** What a worker knows of a transaction. */
    enum Outcome {
        /** The commit was acknowledged. */
        COMMITTED,
        /** The abort was acknowledged. */
        ABORTED,
        /** The broker was killed before it said. */
        UNKNOWN
    }

    /**
     * One transaction of a worker.
     *
     * @param legs how many records it wrote into the ledger
     */
    record Attempt(int legs, Outcome outcome) {}

    private final Map<Long, Attempt> attempts = new ConcurrentHashMap<>();
    private final AtomicLong nextAttempt = new AtomicLong();
    private final AtomicIntegerArray done;
    private final LongAdder incarnations = new LongAdder();

    Transfers(int workers) {
        done = new AtomicIntegerArray(workers);
    }

    long beginAttempt() {
        return nextAttempt.getAndIncrement();
    }

    void end(long attempt, int legs, Outcome outcome) {
        attempts.put(attempt, new Attempt(legs, outcome));
    }

    /** A worker has begun anew with a producer and a consumer. */
    void beginIncarnation() {
        incarnations.increment();
    }

    long incarnations() {
        return incarnations.sum();
    }

    /** A worker has done its requests before this offset: its commit is acknowledged, or was found committed. */
    void doneUpTo(int worker, long offset) {
        done.set(worker, (int) offset);
    }

    long doneUpTo(int worker) {
        return done.get(worker);
    }

    Map<Long, Attempt> attempts() {
        return attempts;
    }

    long count(Outcome outcome) {
        return attempts.values().stream()
                .filter(attempt -> attempt.outcome() == outcome)
                .count();
    }
}
