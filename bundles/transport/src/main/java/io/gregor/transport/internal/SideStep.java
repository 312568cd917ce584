package io.gregor.transport.internal;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A step of one connection that runs aside of its processor. Shared: the processor thread of the connection and the thread
 * that runs the step; each arrow is taken by one of them.
 *
 * <pre>
 *  WAITING ──run──▶ RUNNING ──done──▶ ENDED (the processor goes on)
 *     │                │
 *  abandon          abandon
 *     ▼                ▼
 *   NEVER          ABANDONED ──done──▶ what was left to do is done
 * </pre>
 */
final class SideStep implements Runnable {
    private enum State {
        WAITING,
        RUNNING,
        ENDED,
        NEVER,
        ABANDONED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private @Nullable Runnable work;
    private @Nullable Runnable whenEnded;
    private @Nullable Runnable rest;
    private @Nullable Throwable fault;

    /** A step; {@code whenEnded} is called by the thread that ran it, unless it is abandoned. */
    SideStep(Runnable work, Runnable whenEnded) {
        this.work = work;
        this.whenEnded = whenEnded;
    }

    @Override
    public void run() {
        Runnable mine = work;
        Runnable told = whenEnded;
        if (mine == null || told == null || !state.compareAndSet(State.WAITING, State.RUNNING)) {
            return;
        }
        try {
            mine.run();
        } catch (Throwable thrown) { // it closes its connection, whatever it is
            fault = thrown;
        }
        if (state.compareAndSet(State.RUNNING, State.ENDED)) {
            told.run();
        } else if (rest != null) {
            rest.run();
        }
    }

    /** Whether the processor may go on. */
    boolean hasEnded() {
        return state.get() == State.ENDED;
    }

    /** What the step threw, once it has ended. */
    @Nullable
    Throwable fault() {
        return fault;
    }

    /**
     * The connection is gone. One that waits is not run, and holds nothing while it is in the queue.
     *
     * @param last what is to be done when the step is over
     * @return false if it is over, or was not begun: the caller then does it
     */
    boolean abandon(Runnable last) {
        if (state.compareAndSet(State.WAITING, State.NEVER)) {
            work = null;
            whenEnded = null;
            return false;
        }
        rest = last;
        return state.compareAndSet(State.RUNNING, State.ABANDONED);
    }
}
