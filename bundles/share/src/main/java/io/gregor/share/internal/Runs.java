package io.gregor.share.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a share partition by offset, without overlap: only of records that are not done, so that there are never more
 * than records in flight. Owned by the lock of its share partition.
 */
final class Runs {
    private final NavigableMap<Long, Run> byFirst = new TreeMap<>();
    private long records;

    /** How many records are in it. */
    long records() {
        return records;
    }

    int size() {
        return byFirst.size();
    }

    boolean isEmpty() {
        return byFirst.isEmpty();
    }

    Collection<Run> all() {
        return byFirst.values();
    }

    void add(Run run) {
        byFirst.put(run.first(), run);
        records += run.size();
    }

    void remove(Run run) {
        run.leaveLock();
        byFirst.remove(run.first());
        records -= run.size();
    }

    /** The run that an offset is in, or the next one; null if there is none. */
    @Nullable
    Run from(long offset) {
        Map.Entry<Long, Run> before = byFirst.floorEntry(offset);
        if (before != null && before.getValue().last() >= offset) {
            return before.getValue();
        }
        Map.Entry<Long, Run> after = byFirst.higherEntry(offset);
        return after == null ? null : after.getValue();
    }

    /** The first run from an offset on that can be given out; null if there is none. */
    @Nullable
    Run firstAvailable(long offset) {
        Run begin = from(offset);
        if (begin == null) {
            return null;
        }
        for (Run run : byFirst.tailMap(begin.first(), true).values()) {
            if (run.isAvailable()) {
                return run;
            }
        }
        return null;
    }

    /** The runs that have offsets of a range, which may reach beyond it. */
    List<Run> touching(long first, long last) {
        List<Run> found = new ArrayList<>();
        Run run = from(first);
        while (run != null && run.first() <= last) {
            found.add(run);
            Map.Entry<Long, Run> next = byFirst.higherEntry(run.first());
            run = next == null ? null : next.getValue();
        }
        return found;
    }

    /** The runs of a range: those that reach beyond it are cut. */
    List<Run> within(long first, long last) {
        cutAt(first);
        cutAt(last + 1);
        return touching(first, last);
    }

    private void cutAt(long offset) {
        Map.Entry<Long, Run> before = byFirst.lowerEntry(offset);
        if (before != null && before.getValue().last() >= offset) {
            Run rest = before.getValue().cut(offset);
            byFirst.put(rest.first(), rest);
        }
    }

    /** Joins the runs of a range with each other and their neighbours where they share one fate. */
    void join(long first, long last) {
        Map.Entry<Long, Run> entry = byFirst.lowerEntry(first);
        if (entry == null) {
            entry = byFirst.ceilingEntry(first);
        }
        while (entry != null && entry.getKey() <= last) {
            Map.Entry<Long, Run> next = byFirst.higherEntry(entry.getKey());
            if (next != null && entry.getValue().absorb(next.getValue())) {
                byFirst.remove(next.getKey());
            } else {
                entry = next;
            }
        }
    }
}
