package io.gregor.replication.internal;

import io.gregor.internal.replication.QuietTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.server.purgatory.DelayedDeleteRecords;
import org.apache.kafka.server.purgatory.DelayedOperation;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;
import org.apache.kafka.server.purgatory.DelayedProduce;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;

/**
 * The purgatories of operations that wait for a partition. Nothing here is called with a partition's lock held: a completed
 * operation reads and answers on the calling thread. Shared: any thread.
 */
final class WaitingOperations implements AutoCloseable {
    private final List<QuietTimer> timers = new ArrayList<>();
    private final DelayedOperationPurgatory<DelayedProduce> produces;
    private final DelayedOperationPurgatory<WaitingFetch> fetches;
    private final DelayedOperationPurgatory<DelayedDeleteRecords> deletions;
    private final List<DelayedOperationPurgatory<?>> ofLeaders = new CopyOnWriteArrayList<>();
    private final List<DelayedOperationPurgatory<?>> unused = new ArrayList<>();
    private final List<Consumer<TopicPartitionOperationKey>> others = new CopyOnWriteArrayList<>();

    /** The numbers are how many completed operations a purgatory keeps before it clears them out. */
    WaitingOperations(int brokerId, int keptProduces, int keptFetches, int keptDeletions) {
        produces = purgatory("Produce", brokerId, keptProduces);
        fetches = purgatory("Fetch", brokerId, keptFetches);
        deletions = purgatory("DeleteRecords", brokerId, keptDeletions);
    }

    private <T extends DelayedOperation> DelayedOperationPurgatory<T> purgatory(String name, int brokerId, int kept) {
        QuietTimer timer = new QuietTimer(name);
        timers.add(timer);
        return new DelayedOperationPurgatory<>(name, timer, brokerId, kept, true, true);
    }

    /** One more purgatory, of operations that end when this broker leads their partitions no more; before the first wait. */
    <T extends DelayedOperation> DelayedOperationPurgatory<T> ofLeaders(String name, int brokerId, int kept) {
        DelayedOperationPurgatory<T> added = purgatory(name, brokerId, kept);
        ofLeaders.add(added);
        return added;
    }

    /** The figures of a purgatory that Kafka has and this broker needs not: nobody waits in it, and it has no thread. */
    void showUnused(String name, int brokerId) {
        unused.add(new DelayedOperationPurgatory<>(name, new QuietTimer(name), brokerId, 0, false, false));
    }

    DelayedOperationPurgatory<DelayedProduce> produces() {
        return produces;
    }

    DelayedOperationPurgatory<WaitingFetch> fetches() {
        return fetches;
    }

    DelayedOperationPurgatory<DelayedDeleteRecords> deletions() {
        return deletions;
    }

    /** Tells others of what is visible; the result ends it. */
    Runnable whenVisible(Consumer<TopicPartitionOperationKey> told) {
        others.add(told);
        return () -> others.remove(told);
    }

    private void tellOthers(TopicPartitionOperationKey key) {
        for (Consumer<TopicPartitionOperationKey> other : others) {
            other.accept(key);
        }
    }

    /** More is acknowledged and visible. */
    void highWatermarkMoved(TopicPartitionOperationKey key) {
        produces.checkAndComplete(key);
        fetches.checkAndComplete(key);
        deletions.checkAndComplete(key);
        tellOthers(key);
    }

    /** More can be fetched by followers. */
    void logEndMoved(TopicPartitionOperationKey key) {
        fetches.checkAndComplete(key);
    }

    /** This broker leads the partition no more: whoever waits is answered. */
    void leadershipLost(TopicPartitionOperationKey key) {
        produces.checkAndComplete(key);
        fetches.checkAndComplete(key);
        ofLeaders.forEach(purgatory -> purgatory.checkAndComplete(key));
        tellOthers(key);
    }

    @Override
    public void close() {
        timers.forEach(QuietTimer::wake);
        try {
            fetches.shutdown();
            produces.shutdown();
            deletions.shutdown();
            for (DelayedOperationPurgatory<?> purgatory : ofLeaders) {
                purgatory.shutdown();
            }
            for (DelayedOperationPurgatory<?> purgatory : unused) {
                purgatory.shutdown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new KafkaException("purgatories could not be shut down", e);
        }
    }
}
