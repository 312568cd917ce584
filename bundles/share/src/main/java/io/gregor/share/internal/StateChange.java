package io.gregor.share.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.server.share.fetch.RecordState;
import org.apache.kafka.server.share.persister.PersisterStateBatch;

/**
 * What became of records, to be written down as one. Owned by the lock of its share partition until it is handed to the
 * writer; {@link #written} ends when it is written, or with the reason why it is not.
 */
final class StateChange {
    /** Records that are to be dead letters, once that is written down. */
    record DeadLetters(long first, long last, short deliveryCount, Throwable cause) {}

    private final List<PersisterStateBatch> batches = new ArrayList<>();
    private final List<DeadLetters> deadLetters = new ArrayList<>();
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private long first = Long.MAX_VALUE;
    private long last = -1;

    /** Records become this. */
    void add(long from, long to, RecordState state, int deliveryCount) {
        first = Math.min(first, from);
        last = Math.max(last, to);
        if (!batches.isEmpty()) {
            PersisterStateBatch before = batches.get(batches.size() - 1);
            boolean isContinued = before.lastOffset() + 1 == from
                    && before.deliveryState() == state.id()
                    && before.deliveryCount() == deliveryCount;
            if (isContinued) {
                batches.set(batches.size() - 1, batch(before.firstOffset(), to, state, deliveryCount));
                return;
            }
        }
        batches.add(batch(from, to, state, deliveryCount));
    }

    /** The same of a run, which may make dead letters of it. */
    void add(Run run, RecordState state, int deliveryCount, Throwable causeOfDeath) {
        add(run.first(), run.last(), state, deliveryCount);
        if (state == RecordState.ARCHIVING) {
            deadLetters.add(new DeadLetters(run.first(), run.last(), (short) deliveryCount, causeOfDeath));
        }
    }

    private static PersisterStateBatch batch(long from, long to, RecordState state, int deliveryCount) {
        return new PersisterStateBatch(from, to, state.id(), (short) deliveryCount);
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    long first() {
        return first;
    }

    long last() {
        return last;
    }

    /** How many records change. */
    long records() {
        return batches.stream()
                .mapToLong(batch -> batch.lastOffset() - batch.firstOffset() + 1)
                .sum();
    }

    /** Whether both may be of the same records, so that which is the later one counts. */
    boolean overlaps(StateChange other) {
        return first <= other.last && other.first <= last;
    }

    List<PersisterStateBatch> batches() {
        return batches;
    }

    List<DeadLetters> deadLetters() {
        return deadLetters;
    }

    CompletableFuture<Void> written() {
        return written;
    }
}
