package io.gregor.share.internal;

import java.util.List;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.dlq.ShareGroupDLQManager;
import org.apache.kafka.server.share.fetch.RecordState;
import org.apache.kafka.server.share.persister.PersisterStateBatch;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a share partition (KIP-932): records are given out, and come back in one way or another. Owned by the lock of
 * its share partition.
 *
 * <p>What members return is written down before it counts; what is taken from them, because their time is over or they have left,
 * counts at once, and is written down after that.
 */
final class RecordsInFlight {
    /** A gap, in the acknowledgements: there is no such record. */
    static final byte GAP = 0;

    private final Window window;
    private final Runs runs;

    /** Begins with what was written down. */
    RecordsInFlight(long startOffset, List<PersisterStateBatch> written) {
        window = new Window(startOffset, written);
        runs = window.runs();
    }

    /** Where the share partition is. */
    Window window() {
        return window;
    }

    Runs runs() {
        return runs;
    }

    /**
     * Gives records to a member.
     *
     * @param from where the batches were read from: what {@link Window#next} said
     * @param batches as they are in the log; offsets that they leave out have no records
     */
    Acquired acquire(Acquiring how, long from, List<ReadBatch> batches, Limits limits) {
        return new Acquisition(window, how, from, limits).take(batches);
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
        long start = window.startOffset();
        for (ShareAcknowledgementBatch batch : batches) {
            Acknowledgements.requireHeld(runs, member, batch, start, window.endOffset());
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
        if (type == GAP || run.last() < window.floor()) {
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
        runs.join(0, window.endOffset());
        return change;
    }

    private void takeBack(StateChange change, Run run, int deliveryCount, Limits limits) {
        RecordState now = run.last() < window.floor() ? RecordState.ARCHIVED : limits.afterReturn(deliveryCount);
        change.add(run, now, deliveryCount, ShareGroupDLQManager.DELIVERY_COUNT_EXCEEDED);
        settle(run, now, deliveryCount);
    }

    private void settle(Run run, RecordState now, int deliveryCount) {
        run.free(now, deliveryCount);
        if (!run.stays() || run.last() < window.floor()) {
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
        return window.toString();
    }
}
