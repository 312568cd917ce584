package io.gregor.share.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.share.SharePartitions.Wanted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.purgatory.DelayedOperation;
import org.jspecify.annotations.Nullable;

/**
 * A share fetch until its answer: it reads in rounds, each of those of its partitions that have something and that no other
 * fetch reads, until a round has got records, or the time is over, which is the last round. A round may take its time, where
 * records are read from afar; then the answer waits for it. Shared: rounds begin under the operation's lock, one at a time.
 */
final class WaitingShareFetch extends DelayedOperation {
    private final ShareFetches fetches;
    private final ShareContext context;
    private final Wanted wanted;
    private final List<SharePartition> partitions;
    private final Consumer<Map<TopicIdPartition, PartitionData>> done;
    private final long begunMs;
    private final AtomicBoolean isAnswered = new AtomicBoolean();
    private final Object turn = new Object();

    /** What is being read; null between rounds. */
    @GuardedBy("turn")
    private @Nullable FetchRound round;

    /** Whether the round that is being read is the last one. */
    @GuardedBy("turn")
    private boolean isOverdue;

    /** What a round has got. Under the operation's lock. */
    private Map<TopicIdPartition, PartitionData> taken = Map.of();

    WaitingShareFetch(
            ShareFetches fetches,
            ShareContext context,
            Wanted wanted,
            List<SharePartition> partitions,
            Consumer<Map<TopicIdPartition, PartitionData>> done) {
        super(wanted.maxWaitMs());
        this.fetches = fetches;
        this.context = context;
        this.wanted = wanted;
        this.partitions = partitions;
        this.done = done;
        this.begunMs = context.time().milliseconds();
    }

    @Override
    public boolean tryComplete() {
        FetchRound current = currentRound();
        while (current != null && current.isRead()) {
            clearRound();
            taken = take(current, wanted.minBytes());
            if (!taken.isEmpty()) {
                return forceComplete();
            }
            current = current.hasMoved() ? currentRound() : null;
        }
        return isEnded() && forceComplete();
    }

    /** The round that is under way, else a new one; null if there is nothing to read. */
    private @Nullable FetchRound currentRound() {
        FetchRound next;
        synchronized (turn) {
            if (round != null) {
                return round;
            }
        }
        next = isGone() ? null : FetchRound.claim(context, wanted, partitions);
        if (next != null) {
            synchronized (turn) {
                round = next;
            }
            next.read(() -> arrived(next));
        }
        return next;
    }

    private void clearRound() {
        synchronized (turn) {
            round = null;
        }
    }

    /** A round that took its time is read. */
    private void arrived(FetchRound late) {
        boolean isLast;
        synchronized (turn) {
            isLast = isOverdue;
        }
        if (isLast) {
            answerLate(late);
            fetches.wakes().run();
        } else {
            fetches.wake(partitions);
        }
    }

    /**
     * Acquires what a round has read. A member that has gone gets nothing, as nobody would give it back; one that goes
     * meanwhile, unnoticed, loses it again.
     */
    private Map<TopicIdPartition, PartitionData> take(FetchRound read, int minBytes) {
        if (isGone()) {
            read.leave();
            return Map.of();
        }
        Map<TopicIdPartition, PartitionData> records = read.take(minBytes);
        if (!records.isEmpty() && isGone()) {
            String gone = wanted.member().memberId();
            context.wakes().later(() -> partitions.forEach(partition -> partition.release(gone)));
            return Map.of();
        }
        if (!records.isEmpty()) {
            long waitedMs = context.time().milliseconds() - begunMs;
            context.metrics().recordTopicPartitionsAcquireTimeMs(wanted.member().groupId(), waitedMs);
        }
        return records;
    }

    /** Whether the member's session has ended: its records would come back, counted as given, as often as they may. */
    private boolean isGone() {
        return !fetches.hasSession(wanted.member());
    }

    private boolean isEnded() {
        return isGone() || allFailed();
    }

    private boolean allFailed() {
        for (SharePartition partition : partitions) {
            if (partition.failure() == Errors.NONE) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void onComplete() {
        if (!taken.isEmpty()) {
            answer(taken);
            return;
        }
        FetchRound last = currentRound();
        if (last == null) {
            answer(taken);
            return;
        }
        synchronized (turn) {
            isOverdue = true;
        }
        if (last.isRead()) {
            answerLate(last);
        }
    }

    private void answerLate(FetchRound last) {
        if (isAnswered.compareAndSet(false, true)) {
            send(take(last, 0));
        }
    }

    private void answer(Map<TopicIdPartition, PartitionData> records) {
        if (isAnswered.compareAndSet(false, true)) {
            send(records);
        }
    }

    private void send(Map<TopicIdPartition, PartitionData> records) {
        Map<TopicIdPartition, PartitionData> all = new LinkedHashMap<>(records);
        for (SharePartition partition : partitions) {
            TopicIdPartition key = partition.key().topicIdPartition();
            all.putIfAbsent(key, FetchRound.failed(key, partition.failure()));
        }
        done.accept(all);
    }

    @Override
    public void onExpiration() {
        fetches.expired();
    }
}
