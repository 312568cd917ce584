package io.gregor.share.internal;

import com.yammer.metrics.core.Meter;
import io.gregor.internal.replication.QuietTimer;
import io.gregor.internal.share.SharePartitions.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.server.purgatory.DelayedOperationKey;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.server.share.fetch.DelayedShareFetchGroupKey;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of members that wait for records, in a purgatory: woken when more of a partition is visible, when records come
 * back, and when another fetch has done reading. Shared: any thread.
 */
final class ShareFetches implements AutoCloseable {
    private static final String EXPIRES = "ExpiresPerSec";

    private final KafkaMetricsGroup metricsGroup = new KafkaMetricsGroup("kafka.server", "DelayedShareFetchMetrics");
    private final Meter expires = metricsGroup.newMeter(EXPIRES, "requests", TimeUnit.SECONDS);
    private final QuietTimer deadlines = new QuietTimer("ShareFetch");
    private final DelayedOperationPurgatory<WaitingShareFetch> purgatory;
    private final Wakes wakes;
    private final Predicate<ShareSessionKey> hasSession;

    /**
     * @param kept how many completed operations the purgatory keeps before it clears them out
     * @param hasSession whether a member's session is open
     */
    ShareFetches(int brokerId, int kept, Predicate<ShareSessionKey> hasSession) {
        this.purgatory = new DelayedOperationPurgatory<>("ShareFetch", deadlines, brokerId, kept, true, true);
        this.wakes = new Wakes(purgatory::checkAndComplete);
        this.hasSession = hasSession;
    }

    Wakes wakes() {
        return wakes;
    }

    /** More of a partition is visible, or it is led from here no longer. */
    void visible(TopicPartitionOperationKey key) {
        purgatory.checkAndComplete(key);
        wakes.run();
    }

    /** Answers at once, or keeps the fetch until there is something to answer; the result ends the wait, null if there is none. */
    @Nullable
    Runnable fetch(
            ShareContext context,
            Wanted wanted,
            List<SharePartition> partitions,
            Consumer<Map<TopicIdPartition, PartitionData>> done) {
        WaitingShareFetch fetch = new WaitingShareFetch(this, context, wanted, partitions, done);
        if (wanted.maxWaitMs() <= 0) {
            fetch.forceComplete();
        } else {
            purgatory.tryCompleteElseWatch(fetch, keys(partitions));
        }
        wakes.run();
        return fetch.isCompleted() ? null : () -> end(fetch);
    }

    private void end(WaitingShareFetch fetch) {
        fetch.forceComplete();
        wakes.run();
    }

    private static List<DelayedOperationKey> keys(List<SharePartition> partitions) {
        List<DelayedOperationKey> keys = new ArrayList<>(2 * partitions.size());
        for (SharePartition partition : partitions) {
            TopicIdPartition key = partition.key().topicIdPartition();
            keys.add(new DelayedShareFetchGroupKey(partition.key().groupId(), key));
            keys.add(new TopicPartitionOperationKey(key.topicPartition()));
        }
        return keys;
    }

    /** Wakes those who wait for one of these. */
    void wake(List<SharePartition> partitions) {
        for (SharePartition partition : partitions) {
            wakes.add(new DelayedShareFetchGroupKey(
                    partition.key().groupId(), partition.key().topicIdPartition()));
        }
        wakes.run();
    }

    boolean hasSession(ShareSessionKey member) {
        return hasSession.test(member);
    }

    void expired() {
        expires.mark();
        wakes.run();
    }

    @Override
    public void close() {
        deadlines.wake();
        try {
            purgatory.shutdown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new KafkaException("the purgatory of share fetches could not be shut down", e);
        } finally {
            metricsGroup.removeMetric(EXPIRES);
        }
    }
}
