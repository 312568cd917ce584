package io.gregor.share.internal;

import java.util.List;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.dlq.ShareGroupDLQManager;
import org.apache.kafka.server.share.fetch.RecordState;
import org.apache.kafka.server.share.persister.PersisterStateBatch;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a share partition (KIP-932): offsets between its start and its end that have a {@link Run} are to be
 * given out, in somebody's hands or being written down; all others there are done, or never were. What is behind the end
 * has not been given out yet. Owned by the lock of its share partition.
 *
 * <p>What members return is written down before it counts; what is taken from them, because their time is over or they have left,
 * counts at once, and is written down after that.
 */
final class RecordsInFlight {
    /** A gap, in the acknowledgements: there is no such record. */
    static final byte GAP = 0;

    private static final long NONE_APART = -1;

    private final Runs runs = new Runs();
    private long floor;
    private long end;
    private boolean isTold = true;

    /** Begins with what was written down. What is not mentioned between the start and the last of it was not given out. */
    RecordsInFlight(long startOffset, List<PersisterStateBatch> written) {
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

    /** The first offset that is not done. */
    long startOffset() {
        Run run = runs.from(floor);
        return run == null ? end + 1 : Math.max(floor, run.first());
    }

    /** The last offset that was given out. */
    long endOffset() {
        return end;
    }

    long records() {
        return runs.records();
    }

    int batches() {
        return runs.size();
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

    /** None of these is for members. */
    private void skip(long first, long last) {
        dropAvailable(first, last);
        if (last > end) {
            end = last;
            isTold = false;
        }
    }

    private void dropAvailable(long first, long last) {
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
     * Gives records to a member.
     *
     * @param from where the batches were read from: what {@link #next} said
     * @param batches as they are in the log; offsets that they leave out have no records
     */
    Acquired acquire(Acquiring how, long from, List<ReadBatch> batches, Limits limits) {
        Acquired acquired = new Acquired(how.batchSize());
        long position = Math.max(from, floor);
        long apartEnd = apartEnd(position, limits);
        for (ReadBatch batch : batches) {
            if (acquired.count() >= how.maxRecords()) {
                break;
            }
            if (batch.last() < position) {
                continue;
            }
            long first = Math.max(position, batch.first());
            if (apartEnd != NONE_APART && first > apartEnd && !acquired.isEmpty()) {
                break;
            }
            dropAvailable(position, first - 1);
            if (!batch.isForMembers()) {
                skip(first, batch.last());
            } else if (!acquireAgain(acquired, how, first, Math.min(batch.last(), end), apartEnd, limits)
                    || !acquireNew(acquired, how, Math.max(first, end + 1), batch.last(), limits)) {
                break;
            }
            position = batch.last() + 1;
        }
        if (!acquired.isEmpty()) {
            how.lock().cover(acquired.first(), acquired.last());
            runs.join(acquired.first(), acquired.last());
        }
        return acquired;
    }

    /** The last offset of what goes out with no others, as it came back too often; {@link #NONE_APART} if others may go along. */
    private long apartEnd(long position, Limits limits) {
        Run run = runs.firstAvailable(position);
        return run == null || !limits.isApart(run.deliveryCount())
                ? NONE_APART
                : Math.max(position, run.first()) + limits.together(run.size(), run.deliveryCount()) - 1;
    }

    /** False if this is all that goes out together. */
    private boolean acquireAgain(
            Acquired acquired, Acquiring how, long first, long last, long apartEnd, Limits limits) {
        if (first > last) {
            return true;
        }
        for (Run run : runs.within(first, last)) {
            if (!run.isAvailable()) {
                continue;
            }
            boolean isApart = limits.isApart(run.deliveryCount());
            long size = Math.min(run.size(), how.room(acquired.count()));
            if (isApart) {
                size = Math.min(size, apartEnd - run.first() + 1);
            }
            if (size <= 0) {
                return false;
            }
            Run taken = size < run.size()
                    ? runs.within(run.first(), run.first() + size - 1).get(0)
                    : run;
            take(acquired, how, taken);
            if (taken != run || taken.last() == apartEnd) {
                return false;
            }
        }
        return true;
    }

    private boolean acquireNew(Acquired acquired, Acquiring how, long first, long last, Limits limits) {
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
        end = fresh.last();
        take(acquired, how, fresh);
        return end == last;
    }

    private static void take(Acquired acquired, Acquiring how, Run run) {
        run.acquire(how.member(), how.lock());
        acquired.add(run.first(), run.last(), run.deliveryCount());
    }

    /**
     * Takes acknowledgements in, all or none.
     *
     * @param renewed the time that a member gets for what it renews; null if it renews nothing
     * @throws org.apache.kafka.common.errors.ApiException if the member does not have one of the records
     */
    StateChange acknowledge(
            String member, List<ShareAcknowledgementBatch> batches, @Nullable RecordLock renewed, Limits limits) {
        Acknowledgements.requireApart(batches);
        long start = startOffset();
        for (ShareAcknowledgementBatch batch : batches) {
            Acknowledgements.requireHeld(runs, member, batch, start, end);
        }
        StateChange change = new StateChange();
        for (ShareAcknowledgementBatch batch : batches) {
            Acknowledgements.byType(
                    batch, (first, last, type) -> acknowledge(change, first, last, type, renewed, limits));
        }
        return change;
    }

    private void acknowledge(
            StateChange change, long first, long last, byte type, @Nullable RecordLock renewed, Limits limits) {
        for (Run run : runs.within(first, last)) {
            if (type == AcknowledgeType.RENEW.id && renewed != null) {
                run.renew(renewed);
                renewed.cover(run.first(), run.last());
                continue;
            }
            boolean isRejected = type == AcknowledgeType.REJECT.id;
            RecordState target = target(run, type, limits);
            Throwable cause =
                    isRejected ? ShareGroupDLQManager.CLIENT_REJECT : ShareGroupDLQManager.DELIVERY_COUNT_EXCEEDED;
            change.add(run, target, run.deliveryCount(), cause);
            run.begin(change, target);
        }
        runs.join(first, last);
    }

    private RecordState target(Run run, byte type, Limits limits) {
        if (type == AcknowledgeType.ACCEPT.id) {
            return RecordState.ACKNOWLEDGED;
        }
        if (type == GAP || run.last() < floor) {
            return RecordState.ARCHIVED;
        }
        return type == AcknowledgeType.REJECT.id ? limits.end() : limits.afterReturn(run.deliveryCount());
    }

    /**
     * A change that members waited for is written down, or could not be.
     *
     * @return what is taken from members because their time was over meanwhile
     */
    StateChange complete(StateChange change, boolean isWritten, Limits limits) {
        StateChange late = new StateChange();
        for (Run run : runs.touching(change.first(), change.last())) {
            if (run.change() != change) {
                continue;
            }
            RecordLock lock = run.lock();
            if (isWritten) {
                settle(run, run.target(), run.deliveryCount());
            } else {
                run.rollBack();
                if (lock != null && lock.isExpired()) {
                    takeBack(late, run, run.deliveryCount(), limits);
                }
            }
        }
        runs.join(change.first(), change.last());
        return late;
    }

    /** A member's time is over. */
    StateChange expire(RecordLock lock, Limits limits) {
        lock.expire();
        StateChange change = new StateChange();
        for (Run run : runs.touching(lock.first(), lock.last())) {
            if (run.lock() == lock && run.isHeld()) {
                takeBack(change, run, run.deliveryCount(), limits);
            }
        }
        runs.join(lock.first(), lock.last());
        return change;
    }

    /** A member has left. */
    StateChange release(String member, Limits limits) {
        StateChange change = new StateChange();
        for (Run run : List.copyOf(runs.all())) {
            if (run.isHeldBy(member)) {
                takeBack(change, run, run.deliveryCount(), limits);
            }
        }
        runs.join(0, end);
        return change;
    }

    private void takeBack(StateChange change, Run run, int deliveryCount, Limits limits) {
        RecordState now = run.last() < floor ? RecordState.ARCHIVED : limits.afterReturn(deliveryCount);
        change.add(run, now, deliveryCount, ShareGroupDLQManager.DELIVERY_COUNT_EXCEEDED);
        settle(run, now, deliveryCount);
    }

    private void settle(Run run, RecordState now, int deliveryCount) {
        run.free(now, deliveryCount);
        if (!run.stays() || run.last() < floor) {
            runs.remove(run);
        }
    }

    /** What of a change that is not written down yet is to be dead letters in any case: its members have lost it. */
    List<StateChange.DeadLetters> dying(StateChange change) {
        return change.deadLetters().stream()
                .filter(dead -> runs.touching(dead.first(), dead.last()).stream()
                        .anyMatch(run -> run.state() == RecordState.ARCHIVING))
                .toList();
    }

    /** Records that were to be dead letters are. */
    StateChange buried(long first, long last) {
        StateChange change = new StateChange();
        for (Run run : runs.within(first, last)) {
            if (run.state() == RecordState.ARCHIVING) {
                change.add(run.first(), run.last(), RecordState.ARCHIVED, run.deliveryCount());
                runs.remove(run);
            }
        }
        return change;
    }

    /** What was to be dead letters when the state was written down. */
    List<StateChange.DeadLetters> unburied() {
        return runs.all().stream()
                .filter(run -> run.state() == RecordState.ARCHIVING)
                .map(run -> new StateChange.DeadLetters(
                        run.first(),
                        run.last(),
                        (short) run.deliveryCount(),
                        ShareGroupDLQManager.DELIVERY_COUNT_EXCEEDED))
                .toList();
    }

    /** Nobody holds anything any more: the timers end. */
    void clear() {
        for (Run run : List.copyOf(runs.all())) {
            runs.remove(run);
        }
    }

    @Override
    public String toString() {
        return startOffset() + ".." + end + " " + runs.all();
    }
}
