package io.gregor.transport.internal;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds entries that were idle for too long. Owned by one thread.
 *
 * <p>A timing wheel: an entry sits in the slot of its deadline as it was when it was put there. When the slot's time comes,
 * an entry that was active meanwhile is put into the slot of its new deadline. So activity costs nothing, joining and
 * leaving is a change of two links, and an entry is looked at once in its idle time. It is found at most a sixty-fourth of
 * the idle time too late.
 */
final class IdleWheel {
    /** Something that can be idle. */
    abstract static class Entry {
        private @Nullable Entry previous;
        private @Nullable Entry next;
        private int slot = -1;

        /** Since when it is idle, in nanoseconds; {@code nowNs} if it is not, {@link #NEVER} if it need not be watched. */
        abstract long idleSinceNs(long nowNs);

        /** Whether it is in a wheel. */
        final boolean isWatched() {
            return slot >= 0;
        }
    }

    /** No deadline; no time of being idle. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int TICKS_PER_IDLE_TIME = 64;
    private static final int SLOTS = 128;

    private final Entry[] slots = new Entry[SLOTS];
    private final long startNs;
    private final long idleNs;
    private final long tickNs;
    private long doneTick;
    private long nextTick = NEVER;

    /** Entries are idle after this time; never, if it is negative. */
    IdleWheel(long idleNs, long nowNs) {
        this.idleNs = idleNs;
        this.startNs = nowNs;
        this.tickNs = Math.max(1, idleNs / TICKS_PER_IDLE_TIME);
    }

    /** Puts an entry in that is in no wheel. */
    void add(Entry entry, long nowNs) {
        long sinceNs = entry.idleSinceNs(nowNs);
        if (idleNs < 0 || sinceNs == NEVER) {
            return;
        }
        long deadline = sinceNs - startNs + idleNs;
        long tick = Math.max(doneTick + 1, (deadline + tickNs - 1) / tickNs);
        int slot = (int) (tick % SLOTS);
        Entry first = slots[slot];
        entry.slot = slot;
        entry.previous = null;
        entry.next = first;
        if (first != null) {
            first.previous = entry;
        }
        slots[slot] = entry;
        nextTick = Math.min(nextTick, tick);
    }

    /** Takes an entry out, if it is in. */
    void remove(Entry entry) {
        if (entry.slot < 0) {
            return;
        }
        Entry before = entry.previous;
        Entry after = entry.next;
        if (before == null) {
            slots[entry.slot] = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        entry.previous = null;
        entry.next = null;
        entry.slot = -1;
    }

    /** When to call {@link #expire} again; {@link #NEVER} if there is nothing to find. */
    long nextCheckNs() {
        return nextTick == NEVER ? NEVER : startNs + nextTick * tickNs;
    }

    /** Takes out all entries that are idle for too long, and hands each over. */
    void expire(long nowNs, Consumer<Entry> expired) {
        long nowTick = (nowNs - startNs) / tickNs;
        if (nowTick < nextTick) {
            return;
        }
        long from = Math.max(nextTick, nowTick - SLOTS + 1);
        doneTick = nowTick;
        nextTick = NEVER;
        for (long tick = from; tick <= nowTick; tick++) {
            sweep((int) (tick % SLOTS), nowNs, expired);
        }
        findNextTick();
    }

    private void sweep(int slot, long nowNs, Consumer<Entry> expired) {
        Entry entry = slots[slot];
        slots[slot] = null;
        while (entry != null) {
            Entry after = entry.next;
            entry.slot = -1;
            entry.previous = null;
            entry.next = null;
            long sinceNs = entry.idleSinceNs(nowNs);
            if (sinceNs != NEVER && nowNs - sinceNs >= idleNs) {
                expired.accept(entry);
            } else if (sinceNs != NEVER) {
                add(entry, nowNs);
            }
            entry = after;
        }
    }

    private void findNextTick() {
        nextTick = NEVER;
        for (long tick = doneTick + 1; tick <= doneTick + SLOTS; tick++) {
            if (slots[(int) (tick % SLOTS)] != null) {
                nextTick = tick;
                return;
            }
        }
    }
}
