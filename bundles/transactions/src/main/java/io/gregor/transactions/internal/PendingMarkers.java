package io.gregor.transactions.internal;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;

/** A decision and the partitions that are not known to have its marker. Shared: any thread. */
final class PendingMarkers {
    /** As long as a partition that moved takes to be led again, about. */
    private static final long FIRST_DELAY_MS = 32;

    private static final int MAX_DOUBLINGS = 5;

    private final Ending ending;
    private final MarkerSender.Completing completing;
    private final Set<TopicPartition> missing = ConcurrentHashMap.newKeySet();
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile boolean isOver;

    PendingMarkers(Ending ending, MarkerSender.Completing completing) {
        this.ending = ending;
        this.completing = completing;
        missing.addAll(ending.prepared().topicPartitions());
    }

    Ending ending() {
        return ending;
    }

    MarkerSender.Completing completing() {
        return completing;
    }

    List<TopicPartition> missing() {
        return List.copyOf(missing);
    }

    /** Those of the partitions that still miss the marker. */
    List<TopicPartition> missingOf(Collection<TopicPartition> partitions) {
        return partitions.stream().filter(missing::contains).toList();
    }

    /** The partition needs no marker any more; true for the last of all. */
    boolean done(TopicPartition partition) {
        return missing.remove(partition) && missing.isEmpty();
    }

    boolean isDone() {
        return missing.isEmpty();
    }

    /** How long to wait before the next attempt: longer each time, up to a second. */
    long nextDelayMs() {
        return FIRST_DELAY_MS << Math.min(attempts.getAndIncrement(), MAX_DOUBLINGS);
    }

    /** Nobody is to go on with it. */
    void giveUp() {
        isOver = true;
    }

    boolean isOver() {
        return isOver;
    }
}
