package io.gregor.transactions.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataImage;
import org.apache.kafka.coordinator.common.runtime.CoordinatorResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorShard;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.apache.kafka.timeline.SnapshotRegistry;
import org.apache.kafka.timeline.TimelineHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one partition of {@code __transaction_state}. What a request changes is a record, which Kafka's runtime
 * applies, writes, and takes back if it could not be written; who asked is told once it is committed. The next request
 * sees the change already, so no transaction is ever "pending" as in Kafka's coordinator. Owned by the runtime's event of the partition.
 */
public final class Transactions implements CoordinatorShard<TransactionRecord> {
    private final int partition;
    private final IntSupplier coordinatorEpoch;
    private final Supplier<TransactionVersion> serverVersion;
    private final Runnable onLoaded;
    private final TimelineHashMap<String, TxnTransitMetadata> states;

    /**
     * No transactions yet.
     *
     * @param coordinatorEpoch the leader epoch of the partition, as it is when it is asked for
     * @param serverVersion the transaction protocol of the cluster, as it is when it is asked for
     * @param onLoaded called once the log has been read
     */
    public Transactions(
            SnapshotRegistry snapshots,
            int partition,
            IntSupplier coordinatorEpoch,
            Supplier<TransactionVersion> serverVersion,
            Runnable onLoaded) {
        this.partition = partition;
        this.coordinatorEpoch = coordinatorEpoch;
        this.serverVersion = serverVersion;
        this.onLoaded = onLoaded;
        this.states = new TimelineHashMap<>(snapshots, 0);
    }

    @Override
    public void onLoaded(CoordinatorMetadataImage image) {
        onLoaded.run();
    }

    @Override
    public void replay(long offset, long producerId, short producerEpoch, TransactionRecord written) {
        TxnTransitMetadata state = written.state();
        if (state == null) {
            states.remove(written.transactionalId());
        } else {
            states.put(written.transactionalId(), state);
        }
    }

    /** Changes a transaction that is there. */
    CoordinatorResult<Outcome, TransactionRecord> change(
            String transactionalId, long nowMs, Function<Transition, Decision> decision) {
        TxnTransitMetadata present = states.get(transactionalId);
        return present == null
                ? new CoordinatorResult<>(List.of(), Outcome.refused(Errors.INVALID_PRODUCER_ID_MAPPING))
                : decided(transactionalId, present, decision.apply(new Transition(transactionalId, present, nowMs)));
    }

    /** Changes a transaction that is there, or begins with what is given. */
    CoordinatorResult<Outcome, TransactionRecord> changeOrCreate(
            String transactionalId,
            long nowMs,
            Supplier<TxnTransitMetadata> unborn,
            Function<Transition, Decision> decision) {
        TxnTransitMetadata known = states.get(transactionalId);
        TxnTransitMetadata present = known == null ? unborn.get() : known;
        return decided(transactionalId, present, decision.apply(new Transition(transactionalId, present, nowMs)));
    }

    private CoordinatorResult<Outcome, TransactionRecord> decided(
            String transactionalId, TxnTransitMetadata present, Decision decision) {
        TxnTransitMetadata next = decision.next();
        if (next == null) {
            return new CoordinatorResult<>(List.of(), new Outcome(decision.error(), present, null));
        }
        Ending ending = Transition.isPrepared(next.txnState()) ? ending(transactionalId, next) : null;
        return new CoordinatorResult<>(
                List.of(written(transactionalId, next)), new Outcome(decision.error(), next, ending));
    }

    /** All partitions have the marker; nothing is written if the decision is not the present one any more. */
    CoordinatorResult<Void, TransactionRecord> complete(Ending ended, long nowMs) {
        String id = ended.transactionalId();
        TxnTransitMetadata present = states.get(id);
        if (present == null || !ended.isSameDecision(present)) {
            return new CoordinatorResult<>(List.of());
        }
        return new CoordinatorResult<>(List.of(written(id, new Transition(id, present, nowMs).complete())));
    }

    /** Aborts what takes longer than it said it would; two-phase commits take as long as they want (KIP-939). */
    CoordinatorResult<List<Ending>, TransactionRecord> abortTimedOut(long nowMs) {
        List<TransactionRecord> records = new ArrayList<>();
        List<Ending> endings = new ArrayList<>();
        for (Map.Entry<String, TxnTransitMetadata> entry : states.entrySet()) {
            TxnTransitMetadata state = entry.getValue();
            if (isTimedOut(state, nowMs)) {
                String id = entry.getKey();
                TxnTransitMetadata fenced = new Transition(id, state, nowMs).fence(serverVersion.get());
                records.add(written(id, fenced));
                endings.add(ending(id, fenced));
            }
        }
        return new CoordinatorResult<>(records, endings, null, true, false);
    }

    private static boolean isTimedOut(TxnTransitMetadata state, long nowMs) {
        return state.txnState() == TransactionState.ONGOING
                && state.txnTimeoutMs() != Integer.MAX_VALUE
                && state.txnStartTimestamp() + state.txnTimeoutMs() < nowMs;
    }

    /** Forgets ids that were not used for a while; the response is how many. */
    CoordinatorResult<Integer, TransactionRecord> expire(long expirationMs, long nowMs) {
        List<TransactionRecord> tombstones = new ArrayList<>();
        states.forEach((id, state) -> {
            if (state.txnState().isExpirationAllowed() && state.txnLastUpdateTimestamp() <= nowMs - expirationMs) {
                tombstones.add(new TransactionRecord(id, null, serverVersion.get()));
            }
        });
        return new CoordinatorResult<>(tombstones, tombstones.size(), null, true, false);
    }

    /** The decisions of which not all partitions are known to have the marker; nothing is written. */
    CoordinatorResult<List<Ending>, TransactionRecord> prepared() {
        List<Ending> endings = new ArrayList<>();
        states.forEach((id, state) -> {
            if (Transition.isPrepared(state.txnState())) {
                endings.add(ending(id, state));
            }
        });
        return new CoordinatorResult<>(List.of(), endings);
    }

    /** A transaction as it is committed; null if it is not there. */
    @Nullable
    TxnTransitMetadata committed(String transactionalId, long offset) {
        return states.get(transactionalId, offset);
    }

    /** The committed transactions that are wanted. */
    List<Map.Entry<String, TxnTransitMetadata>> committed(
            long offset, Predicate<Map.Entry<String, TxnTransitMetadata>> wanted) {
        return states.entrySet(offset).stream().filter(wanted).toList();
    }

    private Ending ending(String transactionalId, TxnTransitMetadata prepared) {
        return new Ending(partition, coordinatorEpoch.getAsInt(), transactionalId, prepared);
    }

    private TransactionRecord written(String transactionalId, TxnTransitMetadata state) {
        return new TransactionRecord(transactionalId, state, serverVersion.get());
    }
}
