package io.gregor.replication.internal;

import com.yammer.metrics.core.Meter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/** The broker's and its partitions' gauges and meters, under Kafka's names. Shared: any thread. */
final class ReplicaMetrics implements AutoCloseable {
    private static final Map<String, String> CONSUMER = Map.of("fetcherType", "consumer");
    private static final Map<String, String> FOLLOWER = Map.of("fetcherType", "follower");
    private static final String EXPIRES = "ExpiresPerSec";
    private static final String ISR_EXPANDS = "IsrExpandsPerSec";
    private static final String ISR_SHRINKS = "IsrShrinksPerSec";
    private static final String FAILED_ISR_UPDATES = "FailedIsrUpdatesPerSec";
    private static final Map<String, Function<Partition, Number>> OF_PARTITION = ofPartition();

    private final KafkaMetricsGroup ofBroker = new KafkaMetricsGroup("kafka.server", "ReplicaManager");
    private final KafkaMetricsGroup ofFetches = new KafkaMetricsGroup("kafka.server", "DelayedFetchMetrics");
    private final KafkaMetricsGroup ofPartitions = new KafkaMetricsGroup("kafka.cluster", "Partition");
    private final Map<String, Function<Partitions, Number>> gauges = new LinkedHashMap<>();
    private final Meter isrExpands = ofBroker.newMeter(ISR_EXPANDS, "expands", TimeUnit.SECONDS);
    private final Meter isrShrinks = ofBroker.newMeter(ISR_SHRINKS, "shrinks", TimeUnit.SECONDS);
    private final Meter failedIsrUpdates = ofBroker.newMeter(FAILED_ISR_UPDATES, "failedUpdates", TimeUnit.SECONDS);
    private final Meter expiredConsumerFetches = ofFetches.newMeter(EXPIRES, "requests", TimeUnit.SECONDS, CONSUMER);
    private final Meter expiredFollowerFetches = ofFetches.newMeter(EXPIRES, "requests", TimeUnit.SECONDS, FOLLOWER);

    /** Registers what is counted over all partitions. */
    ReplicaMetrics(Partitions partitions, Time time) {
        gauges.put("LeaderCount", all -> count(all, ReplicaMetrics::isLed));
        gauges.put("PartitionCount", all -> all.all().size());
        gauges.put("OfflineReplicaCount", all -> count(all, Partition::isOffline));
        gauges.put("UnderReplicatedPartitions", all -> count(all, ReplicaMetrics::isUnderReplicated));
        gauges.put("UnderMinIsrPartitionCount", all -> count(all, ReplicaMetrics::isUnderMinIsr));
        gauges.put("AtMinIsrPartitionCount", all -> count(all, ReplicaMetrics::isAtMinIsr));
        gauges.put(
                "ReassigningPartitions",
                all -> count(all, one -> isLed(one) && one.replicas().isReassigning()));
        gauges.put("PartitionsWithLateTransactionsCount", all -> lateTransactions(all, time));
        gauges.put("ProducerIdCount", ReplicaMetrics::producerIds);
        gauges.forEach((name, gauge) -> ofBroker.newGauge(name, () -> gauge.apply(partitions)));
        // the meters that DelayedProduce and DelayedRemoteListOffsets keep for as long as their classes live
        new KafkaMetricsGroup("kafka.server", "DelayedProduceMetrics").newMeter(EXPIRES, "requests", TimeUnit.SECONDS);
        new KafkaMetricsGroup("kafka.server", "DelayedRemoteListOffsetsMetrics")
                .newMeter(EXPIRES, "requests", TimeUnit.SECONDS);
    }

    private static Map<String, Function<Partition, Number>> ofPartition() {
        Map<String, Function<Partition, Number>> gauges = new LinkedHashMap<>();
        gauges.put("UnderReplicated", one -> isUnderReplicated(one) ? 1 : 0);
        gauges.put(
                "InSyncReplicasCount", one -> isLed(one) ? one.replicas().isr().size() : 0);
        gauges.put("UnderMinIsr", one -> isUnderMinIsr(one) ? 1 : 0);
        gauges.put("AtMinIsr", one -> isAtMinIsr(one) ? 1 : 0);
        gauges.put("ReplicasCount", one -> isLed(one) ? one.replicas().assignedCount() : 0);
        gauges.put("LastStableOffsetLag", ReplicaMetrics::lastStableOffsetLag);
        return gauges;
    }

    /** Registers a partition's gauges. */
    void add(Partition partition) {
        Map<String, String> tags = tags(partition.topicPartition());
        OF_PARTITION.forEach((name, gauge) -> ofPartitions.newGauge(name, () -> gauge.apply(partition), tags));
    }

    /** Removes a partition's gauges. */
    void remove(TopicPartition partition) {
        Map<String, String> tags = tags(partition);
        OF_PARTITION.keySet().forEach(name -> ofPartitions.removeMetric(name, tags));
    }

    private static Map<String, String> tags(TopicPartition partition) {
        return Map.of("topic", partition.topic(), "partition", Integer.toString(partition.partition()));
    }

    Meter isrExpands() {
        return isrExpands;
    }

    Meter isrShrinks() {
        return isrShrinks;
    }

    Meter failedIsrUpdates() {
        return failedIsrUpdates;
    }

    Meter expiredConsumerFetches() {
        return expiredConsumerFetches;
    }

    Meter expiredFollowerFetches() {
        return expiredFollowerFetches;
    }

    private static int count(Partitions partitions, Predicate<Partition> which) {
        int count = 0;
        for (Partition partition : partitions.all()) {
            if (which.test(partition)) {
                count++;
            }
        }
        return count;
    }

    private static boolean isLed(Partition partition) {
        return partition.leadership().isLocal();
    }

    private static boolean isUnderReplicated(Partition partition) {
        return isLed(partition) && partition.replicas().isUnderReplicated();
    }

    private static boolean isUnderMinIsr(Partition partition) {
        UnifiedLog log = partition.leaderLog();
        return log != null
                && partition.replicas().isr().size() < partition.replicas().minInSync(log);
    }

    private static boolean isAtMinIsr(Partition partition) {
        UnifiedLog log = partition.leaderLog();
        return log != null
                && partition.replicas().isr().size() == partition.replicas().minInSync(log);
    }

    private static long lastStableOffsetLag(Partition partition) {
        UnifiedLog log = partition.log();
        return log == null ? 0 : log.lastStableOffsetLag();
    }

    private static int lateTransactions(Partitions partitions, Time time) {
        long nowMs = time.milliseconds();
        return count(partitions, partition -> {
            UnifiedLog log = partition.leaderLog();
            return log != null && log.hasLateTransaction(nowMs);
        });
    }

    private static int producerIds(Partitions partitions) {
        int count = 0;
        for (Partition partition : partitions.all()) {
            UnifiedLog log = partition.log();
            count += log == null ? 0 : log.producerIdCount();
        }
        return count;
    }

    @Override
    public void close() {
        gauges.keySet().forEach(ofBroker::removeMetric);
        ofBroker.removeMetric(ISR_EXPANDS);
        ofBroker.removeMetric(ISR_SHRINKS);
        ofBroker.removeMetric(FAILED_ISR_UPDATES);
        ofFetches.removeMetric(EXPIRES, CONSUMER);
        ofFetches.removeMetric(EXPIRES, FOLLOWER);
    }
}
