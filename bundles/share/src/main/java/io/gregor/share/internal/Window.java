package io.gregor.share.internal;

import java.util.List;
import org.apache.kafka.server.share.fetch.RecordState;
import org.apache.kafka.server.share.persister.PersisterStateBatch;

/**
 * From where to where a share partition is: offsets between its start and its end that have a {@link Run} are to be given out,
 * in somebody's hands or being written down; all others there are done, or never were. What is behind the end has not
 * been given out yet. Owned by the lock of its share partition.
 */
final class Window {
    private final Runs runs = new Runs();
    private long floor;
    private long end;
    private boolean isTold = true;

    /** Begins with what was written down. What is not mentioned between the start and the last of it was not given out. */
    Window(long startOffset, List<PersisterStateBatch> written) {
        floor = startOffset;
        long position = startOffset;
        for (PersisterStateBatch batch : written) {
            long first = Math.max(batch.firstOffset(), position);
            if (first > batch.lastOffset()) {
                continue;
            }
            addAvailable(position, first - 1, 0);
            RecordState state = RecordState.forId(batch.deliveryState());
            if (state == RecordState.AVAILABLE || state == RecordState.ACQUIRED) {
                addAvailable(first, batch.lastOffset(), batch.deliveryCount());
            } else if (state == RecordState.ARCHIVING) {
                runs.add(new Run(first, batch.lastOffset(), state, batch.deliveryCount()));
            }
            position = batch.lastOffset() + 1;
        }
        end = position - 1;
    }

    private void addAvailable(long first, long last, int deliveryCount) {
        if (first <= last) {
            runs.add(new Run(first, last, RecordState.AVAILABLE, deliveryCount));
        }
    }

    Runs runs() {
        return runs;
    }

    /** The first offset that the log has. */
    long floor() {
        return floor;
    }

    /** The first offset that is not done. */
    long startOffset() {
        Run run = runs.from(floor);
        return run == null ? end + 1 : Math.max(floor, run.first());
    }

    /** The last offset that was given out. */
    long endOffset() {
        return end;
    }

    /** How many offsets from the start on will be done when all that is being written is written. */
    long done() {
        long start = startOffset();
        long staying = 0;
        for (Run run : runs.all()) {
            if (run.stays() && run.last() >= start) {
                staying += run.last() - Math.max(run.first(), start) + 1;
            }
        }
        return end - start + 1 - staying;
    }

    /** The first offset to be given out: one that came back, else the one after the end; -1 if there are too many in flight. */
    long next(Limits limits) {
        Run run = runs.firstAvailable(0);
        if (run != null) {
            return run.first();
        }
        return runs.records() < limits.recordLocks() ? end + 1 : -1;
    }

    /** What is before this offset is in the log no more. What members have of it stays theirs until they return it. */
    void moveStart(long logStart) {
        if (logStart <= floor) {
            return;
        }
        floor = logStart;
        skip(0, logStart - 1);
    }

    /** Up to here records have been given out now. */
    void extend(long last) {
        end = last;
    }

    /** None of these is for members. */
    void skip(long first, long last) {
        dropAvailable(first, last);
        if (last > end) {
            end = last;
            isTold = false;
        }
    }

    /** The log has none of these, or they are not for members. */
    void dropAvailable(long first, long last) {
        if (first > last) {
            return;
        }
        boolean anyAvailable = runs.touching(first, last).stream().anyMatch(Run::isAvailable);
        if (anyAvailable) {
            for (Run run : runs.within(first, last)) {
                if (run.isAvailable()) {
                    runs.remove(run);
                    isTold = false;
                }
            }
        }
    }

    /**
     * Whether offsets are done that no change tells of, as nobody had them: they were not for members, or are in the log no
     * more. The next change tells of them too; this is true if there is none to come.
     */
    boolean isUntold() {
        return !isTold && runs.isEmpty();
    }

    /** Whether the share coordinator knows, or is just being told, how far it is. */
    void told(boolean isKnown) {
        isTold = isKnown;
    }

    @Override
    public String toString() {
        return startOffset() + ".." + end + " " + runs.all();
    }
}
