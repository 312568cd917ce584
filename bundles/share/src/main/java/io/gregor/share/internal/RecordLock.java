package io.gregor.share.internal;

import java.util.function.Consumer;
import org.apache.kafka.server.util.timer.TimerTask;

/**
 * The time that a member has for the records that it got at once. Counts who is under it, so that its timer ends with the last.
 * Owned by the lock of its share partition, but for {@link #run}, which the timer's thread calls.
 */
final class RecordLock extends TimerTask {
    private final Consumer<RecordLock> onExpired;
    private long first = Long.MAX_VALUE;
    private long last = -1;
    private long held;
    private boolean isExpired;

    RecordLock(long durationMs, Consumer<RecordLock> onExpired) {
        super(durationMs);
        this.onExpired = onExpired;
    }

    /** So that it is known where the runs under it are. */
    void cover(long from, long to) {
        first = Math.min(first, from);
        last = Math.max(last, to);
    }

    long first() {
        return first;
    }

    long last() {
        return last;
    }

    void hold(long records) {
        held += records;
    }

    void leave(long records) {
        held -= records;
        if (held == 0) {
            cancel();
        }
    }

    boolean isHeld() {
        return held > 0;
    }

    /** The time is over, also for those whose change is being written down and may yet fail. */
    void expire() {
        isExpired = true;
    }

    boolean isExpired() {
        return isExpired;
    }

    @Override
    public void run() {
        onExpired.accept(this);
    }
}
