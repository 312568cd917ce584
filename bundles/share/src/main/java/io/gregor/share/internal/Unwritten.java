package io.gregor.share.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.server.share.persister.PersisterStateBatch;

/**
 * What became of records and is not written down yet, in order, for one write at a time. Not longer than there are records in
 * flight. Owned by the lock of its share partition.
 */
final class Unwritten {
    /** What is written down at once, and where the share partition will be then. */
    record Write(
            List<StateChange> changes,
            List<PersisterStateBatch> batches,
            int stateEpoch,
            long startOffset,
            long done) {}

    private final Deque<StateChange> changes = new ArrayDeque<>();
    private final Window window;
    private final int stateEpoch;
    private boolean isWriting;

    Unwritten(Window window, int stateEpoch) {
        this.window = window;
        this.stateEpoch = stateEpoch;
    }

    void add(StateChange change) {
        if (!change.isEmpty()) {
            changes.add(change);
        }
    }

    /** Nothing waits and nothing is under way. */
    boolean isQuiet() {
        return !isWriting && changes.isEmpty();
    }

    /** Whether a write is to begin now. */
    boolean isDue() {
        return !isWriting && (!changes.isEmpty() || window.isUntold());
    }

    /** Begins a write: with as many changes as are not of the same records. */
    Write begin() {
        isWriting = true;
        window.told(true);
        List<StateChange> begun = new ArrayList<>();
        List<PersisterStateBatch> batches = new ArrayList<>();
        StateChange next = changes.peek();
        while (next != null && begun.stream().noneMatch(next::overlaps)) {
            begun.add(changes.remove());
            batches.addAll(next.batches());
            next = changes.peek();
        }
        return new Write(begun, batches, stateEpoch, window.startOffset(), window.done());
    }

    /** The write has ended. */
    void end() {
        isWriting = false;
    }

    /** Nothing is written any more; the rest. */
    List<StateChange> clear() {
        List<StateChange> rest = List.copyOf(changes);
        changes.clear();
        return rest;
    }
}
