package io.gregor.share.internal;

import org.apache.kafka.server.share.fetch.RecordState;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive offsets of a share partition that share one fate. Owned by the lock of its share partition.
 *
 * <pre>
 *  AVAILABLE ──acquired──▶ ACQUIRED ──accepted, rejected, a gap─────────────▶ done: no run any more
 *      ▲                      │  └────to be dead letters──▶ ARCHIVING ──written──▶ done
 *      └─released, timed out──┘
 * </pre>
 *
 * A change that is being written down ({@link #change}) keeps the state until it is written; meanwhile nobody else touches it.
 */
final class Run {
    static final String NOBODY = "";

    private final long first;
    private long last;
    private RecordState state;
    private int deliveryCount;
    private String member = NOBODY;
    private @Nullable RecordLock lock;
    private @Nullable StateChange change;
    private @Nullable RecordState target;

    Run(long first, long last, RecordState state, int deliveryCount) {
        this.first = first;
        this.last = last;
        this.state = state;
        this.deliveryCount = deliveryCount;
    }

    long first() {
        return first;
    }

    long last() {
        return last;
    }

    long size() {
        return last - first + 1;
    }

    RecordState state() {
        return state;
    }

    /** How often its records were given out, this time included. */
    int deliveryCount() {
        return deliveryCount;
    }

    /** The time that its holder has; null if nobody holds it. */
    @Nullable
    RecordLock lock() {
        return lock;
    }

    /** What is being written down of it; null if nothing is. */
    @Nullable
    StateChange change() {
        return change;
    }

    boolean isAvailable() {
        return state == RecordState.AVAILABLE && change == null;
    }

    boolean isHeld() {
        return state == RecordState.ACQUIRED && change == null;
    }

    boolean isHeldBy(String who) {
        return isHeld() && member.equals(who);
    }

    /** Whether it will still be there when all that is being written is written. */
    boolean stays() {
        RecordState end = target == null ? state : target;
        return end != RecordState.ACKNOWLEDGED && end != RecordState.ARCHIVED;
    }

    /** Cuts itself off before an offset; the rest is another run of the same fate. */
    Run cut(long offset) {
        Run rest = new Run(offset, last, state, deliveryCount);
        rest.member = member;
        rest.lock = lock;
        rest.change = change;
        rest.target = target;
        last = offset - 1;
        return rest;
    }

    /** Takes the next run in, if it has the same fate. */
    boolean absorb(Run next) {
        boolean isSame = last + 1 == next.first
                && state == next.state
                && deliveryCount == next.deliveryCount
                && lock == next.lock
                && change == null
                && next.change == null
                && member.equals(next.member);
        if (isSame) {
            last = next.last;
        }
        return isSame;
    }

    void acquire(String who, RecordLock time) {
        state = RecordState.ACQUIRED;
        deliveryCount++;
        member = who;
        lock = time;
        time.hold(size());
    }

    void renew(RecordLock time) {
        leaveLock();
        lock = time;
        time.hold(size());
    }

    /** Nobody holds it any more. */
    void free(RecordState now, int count) {
        leaveLock();
        state = now;
        deliveryCount = count;
        member = NOBODY;
        change = null;
        target = null;
    }

    /** Is being written down as something else. */
    void begin(StateChange by, RecordState to) {
        change = by;
        target = to;
    }

    /** What it will be when its change is written down. */
    RecordState target() {
        return target == null ? state : target;
    }

    /** Stays what it is: its change could not be written down. */
    void rollBack() {
        change = null;
        target = null;
    }

    void leaveLock() {
        RecordLock left = lock;
        if (left != null) {
            lock = null;
            left.leave(size());
        }
    }

    @Override
    public String toString() {
        return first + "-" + last + ":" + state + "x" + deliveryCount + (change == null ? "" : ">" + target);
    }
}
