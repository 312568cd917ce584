package io.gregor.share.internal;

import java.util.List;
import org.apache.kafka.server.share.fetch.RecordState;

/**
 * One giving out of records to a member: of what was read, the first that nobody has, as many as are wanted and allowed. Owned by
 * the lock of its share partition.
 */
final class Acquisition {
    private static final long NONE_APART = -1;

    private final Window window;
    private final Runs runs;
    private final Acquiring how;
    private final Limits limits;
    private final Acquired acquired;

    /** The last offset of what goes out with no others, as it came back too often; {@link #NONE_APART} if others may go along. */
    private final long apartEnd;

    private long position;

    /**
     * @param from where the batches will have been read from: what {@link Window#next} said
     */
    Acquisition(Window window, Acquiring how, long from, Limits limits) {
        this.window = window;
        this.runs = window.runs();
        this.how = how;
        this.limits = limits;
        this.acquired = new Acquired(how.batchSize());
        this.position = Math.max(from, window.floor());
        this.apartEnd = apartEnd();
    }

    private long apartEnd() {
        Run run = runs.firstAvailable(position);
        return run == null || !limits.isApart(run.deliveryCount())
                ? NONE_APART
                : Math.max(position, run.first()) + limits.together(run.size(), run.deliveryCount()) - 1;
    }

    /**
     * Takes what is to be given out.
     *
     * @param batches as they are in the log; offsets that they leave out have no records
     */
    Acquired take(List<ReadBatch> batches) {
        for (ReadBatch batch : batches) {
            if (acquired.count() >= how.maxRecords() || !take(batch)) {
                break;
            }
        }
        if (!acquired.isEmpty()) {
            how.lock().cover(acquired.first(), acquired.last());
            runs.join(acquired.first(), acquired.last());
        }
        return acquired;
    }

    /** False if this is all that goes out together. */
    private boolean take(ReadBatch batch) {
        if (batch.last() < position) {
            return true;
        }
        long first = Math.max(position, batch.first());
        if (apartEnd != NONE_APART && first > apartEnd && !acquired.isEmpty()) {
            return false;
        }
        window.dropAvailable(position, first - 1);
        if (!batch.isForMembers()) {
            window.skip(first, batch.last());
        } else if (!takeAgain(first, Math.min(batch.last(), window.endOffset()))
                || !takeNew(Math.max(first, window.endOffset() + 1), batch.last())) {
            return false;
        }
        position = batch.last() + 1;
        return true;
    }

    private boolean takeAgain(long first, long last) {
        if (first > last) {
            return true;
        }
        for (Run run : runs.within(first, last)) {
            if (!run.isAvailable()) {
                continue;
            }
            long size = Math.min(run.size(), how.room(acquired.count()));
            if (limits.isApart(run.deliveryCount())) {
                size = Math.min(size, apartEnd - run.first() + 1);
            }
            if (size <= 0) {
                return false;
            }
            Run taken = size < run.size()
                    ? runs.within(run.first(), run.first() + size - 1).get(0)
                    : run;
            give(taken);
            if (taken != run || taken.last() == apartEnd) {
                return false;
            }
        }
        return true;
    }

    private boolean takeNew(long first, long last) {
        if (first > last) {
            return true;
        }
        long room = how.room(acquired.count());
        long free = limits.recordLocks() - runs.records();
        if (room <= 0 || free <= 0) {
            return false;
        }
        long size = Math.min(last - first + 1, how.isStrict() ? Math.min(room, free) : Long.MAX_VALUE);
        Run fresh = new Run(first, first + size - 1, RecordState.AVAILABLE, 0);
        runs.add(fresh);
        window.extend(fresh.last());
        give(fresh);
        return fresh.last() == last;
    }

    private void give(Run run) {
        run.acquire(how.member(), how.lock());
        acquired.add(run.first(), run.last(), run.deliveryCount());
    }
}
