package io.gregor.share.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.share.SharePartitions.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.partition.PartitionListener;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.fetch.DelayedShareFetchGroupKey;
import org.apache.kafka.server.share.metrics.SharePartitionMetrics;
import org.apache.kafka.server.share.persister.PartitionAllData;
import org.apache.kafka.server.share.persister.PartitionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition for one group, led by this broker: {@link RecordsInFlight}, the timers of what members hold, and the way to the
 * share coordinator. Shared: any thread; its state is guarded by its lock, which is not held when anybody is called.
 *
 * <pre>
 *  LOADING ──state read──▶ ACTIVE ──leadership lost, deleted, fenced, group empty──▶ ENDED
 *     └────────────────────not to be had───────────────────────────────────────────────▲
 * </pre>
 */
final class SharePartition implements PartitionListener {
    private static final Logger LOGGER = LoggerFactory.getLogger(SharePartition.class);

    /** What the share coordinator says when the state is another's, or nobody's. */
    private static final Set<Errors> ENDING =
            Set.of(Errors.NOT_LEADER_OR_FOLLOWER, Errors.GROUP_ID_NOT_FOUND, Errors.UNKNOWN_TOPIC_OR_PARTITION);

    private final SharePartitionKey key;
    private final TopicPartition partition;
    private final DelayedShareFetchGroupKey waitKey;
    private final ShareContext context;
    private final PersistedState persisted;
    private final SharePartitionMetrics metrics;
    private final Claim claim;
    private final Burials burials;
    private final Consumer<SharePartition> onEnded;
    private final long createdMs;

    private final Object lock = new Object();

    @GuardedBy("lock")
    private @Nullable RecordsInFlight records;

    /** There with the records. */
    @GuardedBy("lock")
    private @Nullable Unwritten unwritten;

    private final AtomicBoolean isLoading = new AtomicBoolean();
    private volatile Errors failure = Errors.NONE;
    private volatile boolean isAbandoned;

    /** A share partition that is not loaded; the last is called once, when it has ended. */
    SharePartition(SharePartitionKey key, ShareContext context, int leaderEpoch, Consumer<SharePartition> onEnded) {
        this.key = key;
        this.partition = key.topicIdPartition().topicPartition();
        this.waitKey = new DelayedShareFetchGroupKey(key.groupId(), key.topicIdPartition());
        this.context = context;
        this.persisted = new PersistedState(context.persister(), key, leaderEpoch);
        this.metrics = new SharePartitionMetrics(key.groupId(), partition.topic(), partition.partition());
        this.claim = new Claim(context.time(), metrics);
        this.burials = new Burials(key, context.deadLetters(), this::buried);
        this.onEnded = onEnded;
        this.createdMs = context.time().milliseconds();
    }

    SharePartitionKey key() {
        return key;
    }

    /** Why it gives no records any more; NONE as long as it does. */
    Errors failure() {
        return failure;
    }

    /** Reads its state, the first time; whoever waits for it is woken then. From now on it is wanted. No lock is held. */
    void load() {
        isAbandoned = false;
        if (!isLoading.compareAndSet(false, true)) {
            write();
            return;
        }
        if (!context.replicas().watch(partition, this) || !context.replicas().isLeader(partition)) {
            end(Errors.NOT_LEADER_OR_FOLLOWER);
            return;
        }
        persisted.read().thenAccept(this::loaded).exceptionally(fault -> {
            Errors error = Errors.forException(fault);
            LOGGER.debug("share partition not loaded: {} errorCode={}", key, error, fault);
            end(error);
            return null;
        });
    }

    private void loaded(PartitionAllData data) {
        long start = data.startOffset();
        if (start == PartitionFactory.UNINITIALIZED_START_OFFSET) {
            start = new StartOffset(context.replicas(), partition, persisted.leaderEpoch())
                    .of(context.settings().autoOffsetReset(key.groupId()));
        }
        RecordsInFlight read = new RecordsInFlight(start, data.stateBatches());
        context.replicas().log(partition).ifPresent(log -> read.window().moveStart(log.logStartOffset()));
        List<StateChange.DeadLetters> unburied = read.unburied();
        synchronized (lock) {
            if (failure != Errors.NONE) {
                return;
            }
            records = read;
            unwritten = new Unwritten(read.window(), data.stateEpoch());
        }
        metrics.registerInFlightMessageCount(this::recordCount);
        metrics.registerInFlightBatchCount(this::batchCount);
        if (failure != Errors.NONE) {
            closeMetrics();
            return;
        }
        context.metrics().partitionLoadTime(context.time().milliseconds() - createdMs);
        LOGGER.debug("share partition loaded: {} {}", key, read);
        unburied.forEach(burials::bury);
        endIfAbandoned();
        wake();
    }

    private int recordCount() {
        synchronized (lock) {
            return records == null ? 0 : (int) records.runs().records();
        }
    }

    private int batchCount() {
        synchronized (lock) {
            return records == null ? 0 : records.runs().size();
        }
    }

    /** Where there is something to read for a member now; -1 if there is not. */
    long next() {
        Limits limits = limits();
        synchronized (lock) {
            return records == null ? -1 : records.window().next(limits);
        }
    }

    /** Takes the right to read, so that {@link #acquire} may follow; false if another fetch has it, which will tell. */
    boolean claim() {
        return claim.take();
    }

    /** Gives the right to read back; wakes others at the next turn. */
    void unclaim() {
        if (claim.leave()) {
            context.wakes().add(waitKey);
        }
    }

    /** What is before is in the log no more. */
    void logStartsAt(long offset) {
        synchronized (lock) {
            if (records != null) {
                records.window().moveStart(offset);
            }
        }
    }

    /**
     * Gives records to a member, for the time that the group's members have.
     *
     * @param from what was read, from the offset that {@link #next} said
     */
    Acquired acquire(Wanted wanted, long maxRecords, long from, List<ReadBatch> batches) {
        Limits limits = limits();
        RecordLock time = newLock();
        Acquiring how = new Acquiring(wanted.member().memberId(), wanted.mode(), maxRecords, wanted.batchSize(), time);
        Acquired acquired;
        boolean isUntold;
        synchronized (lock) {
            if (records == null) {
                return new Acquired(wanted.batchSize());
            }
            acquired = records.acquire(how, from, batches, limits);
            isUntold = records.window().isUntold();
        }
        if (isUntold) {
            context.wakes().later(this::write);
        }
        if (!acquired.isEmpty()) {
            context.locks().add(time);
            acquired.ranges()
                    .forEach(range ->
                            metrics.recordInFlightBatchMessageCount(range.lastOffset() - range.firstOffset() + 1));
        }
        return acquired;
    }

    private RecordLock newLock() {
        return new RecordLock(context.settings().lockDurationMs(key.groupId()), this::expire);
    }

    private void expire(RecordLock time) {
        Limits limits = limits();
        long expired;
        synchronized (lock) {
            if (records == null) {
                return;
            }
            StateChange change = records.expire(time, limits);
            expired = change.records();
            enqueue(change);
        }
        metrics.recordAcquisitionLockTimeoutPerSec(expired);
        write();
        wake();
    }

    /** Takes a member's acknowledgements in, all or none; ends when they are written down. */
    CompletableFuture<Void> acknowledge(String member, List<ShareAcknowledgementBatch> batches) {
        Limits limits = limits();
        boolean isRenewing =
                batches.stream().anyMatch(batch -> batch.acknowledgeTypes().contains(AcknowledgeType.RENEW.id));
        RecordLock renewed = isRenewing ? newLock() : null;
        StateChange change;
        synchronized (lock) {
            if (records == null) {
                Errors error = failure == Errors.NONE ? Errors.UNKNOWN_TOPIC_OR_PARTITION : failure;
                return CompletableFuture.failedFuture(error.exception());
            }
            try {
                change = records.acknowledge(member, batches, renewed, limits);
            } catch (ApiException refused) {
                return CompletableFuture.failedFuture(refused);
            }
            enqueue(change);
        }
        if (renewed != null && renewed.isHeld()) {
            context.locks().add(renewed);
        }
        write();
        return change.isEmpty() ? CompletableFuture.completedFuture(null) : change.written();
    }

    /** A member has left. */
    void release(String member) {
        Limits limits = limits();
        synchronized (lock) {
            if (records == null) {
                return;
            }
            enqueue(records.release(member, limits));
        }
        write();
        wake();
    }

    private Limits limits() {
        return context.settings().limits(key.groupId());
    }

    /** Wakes those who wait for records. No lock is held. */
    private void wake() {
        context.wakes().add(waitKey);
        context.wakes().run();
    }

    @GuardedBy("lock")
    private void enqueue(StateChange change) {
        if (unwritten != null) {
            unwritten.add(change);
        }
    }

    /** Begins to write what waits for it, unless a write is under way, which then goes on with it. No lock is held. */
    @SuppressWarnings("FutureReturnValueIgnored") // completed(...) is told of faults, and has none
    private void write() {
        Unwritten.Write write;
        synchronized (lock) {
            if (unwritten == null || !unwritten.isDue()) {
                return;
            }
            write = unwritten.begin();
        }
        persisted.write(write).whenComplete((written, fault) -> completed(write.changes(), fault));
    }

    private void completed(List<StateChange> changes, @Nullable Throwable fault) {
        Limits limits = limits();
        List<StateChange.DeadLetters> dying = new ArrayList<>();
        synchronized (lock) {
            if (records != null && unwritten != null) {
                unwritten.end();
                for (StateChange change : changes) {
                    dying.addAll(fault == null ? change.deadLetters() : records.dying(change));
                    enqueue(records.complete(change, fault == null, limits));
                }
            }
        }
        if (fault == null) {
            changes.forEach(change -> change.written().complete(null));
        } else {
            failed(changes, fault);
        }
        if (failure == Errors.NONE) {
            dying.forEach(burials::bury);
        }
        write();
        if (fault != null) {
            tellWithTheNextFetch();
        }
        endIfAbandoned();
        wake();
    }

    private void tellWithTheNextFetch() {
        synchronized (lock) {
            if (records != null) {
                records.window().told(false);
            }
        }
    }

    private void failed(List<StateChange> changes, Throwable fault) {
        Errors error = Errors.forException(fault);
        LOGGER.debug("share partition not written: {} errorCode={}", key, error, fault);
        changes.forEach(change -> change.written().completeExceptionally(error.exception()));
        if (ENDING.contains(error)) {
            end(error);
        }
    }

    private void buried(StateChange.DeadLetters dead) {
        synchronized (lock) {
            if (records == null) {
                return;
            }
            enqueue(records.buried(dead.first(), dead.last()));
        }
        write();
        wake();
    }

    /** Nobody wants it any more: it ends when nothing is on its way to the share coordinator. */
    void abandon() {
        isAbandoned = true;
        endIfAbandoned();
    }

    private void endIfAbandoned() {
        boolean isQuiet;
        synchronized (lock) {
            isQuiet = unwritten != null && unwritten.isQuiet();
        }
        if (isAbandoned && isQuiet) {
            end(Errors.NOT_LEADER_OR_FOLLOWER);
        }
    }

    /** Gives no records any more, and tells everybody who waits for some. */
    void end(Errors why) {
        List<StateChange> lost = List.of();
        synchronized (lock) {
            if (failure != Errors.NONE) {
                return;
            }
            failure = why;
            if (records != null && unwritten != null) {
                lost = unwritten.clear();
                unwritten = null;
                records.clear();
                records = null;
            }
        }
        context.replicas().unwatch(partition, this);
        closeMetrics();
        onEnded.accept(this);
        lost.forEach(change -> change.written().completeExceptionally(why.exception()));
        wake();
    }

    private void closeMetrics() {
        try {
            metrics.close();
        } catch (Exception fault) {
            LOGGER.warn("metrics of a share partition stay: {}", key, fault);
        }
    }

    @Override
    public void onFailed(TopicPartition gone) {
        end(Errors.NOT_LEADER_OR_FOLLOWER);
    }

    @Override
    public void onDeleted(TopicPartition gone) {
        end(Errors.NOT_LEADER_OR_FOLLOWER);
    }

    @Override
    public void onBecomingFollower(TopicPartition followed) {
        end(Errors.NOT_LEADER_OR_FOLLOWER);
    }
}
