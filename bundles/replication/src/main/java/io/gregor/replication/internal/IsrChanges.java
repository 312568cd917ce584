package io.gregor.replication.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.metadata.ControllerChannels;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.apache.kafka.server.common.TopicIdPartition;
import org.apache.kafka.server.partition.AlterPartitionManager;
import org.apache.kafka.server.partition.DefaultAlterPartitionManager;
import org.apache.kafka.server.partition.PendingExpandIsr;
import org.apache.kafka.server.partition.PendingPartitionChange;
import org.apache.kafka.server.replica.Replica;
import org.apache.kafka.storage.internals.log.LogReadInfo;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the replicas in sync of led partitions up to date: learns from fetches how far followers are, proposes to the
 * controller who joins and who leaves, and takes its answer over. One proposal a partition at a time. The channel to the
 * controller and its thread come with the first proposal: without followers there is none. Shared: any thread.
 *
 * <pre>
 *   committed ──▶ joining proposed (counts already) ──▶ committed       a change in the metadata ends any proposal
 *       └───────▶ leaving proposed (counts still)  ───▶ committed
 * </pre>
 */
final class IsrChanges implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(IsrChanges.class);

    private final BrokerContext broker;
    private final NodeToControllerChannelManager channel;
    private final LongSupplier brokerEpoch;
    private final ReplicaMetrics metrics;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private @Nullable AlterPartitionManager controller;

    @GuardedBy("lock")
    private boolean closed;

    IsrChanges(BrokerContext broker, ControllerChannels channels, LongSupplier brokerEpoch, ReplicaMetrics metrics) {
        this.broker = broker;
        this.channel = channels.channel("alter-partition", Long.MAX_VALUE);
        this.brokerEpoch = brokerEpoch;
        this.metrics = metrics;
    }

    /** A follower has all records before the offset that it fetched from. */
    void fetched(Partition partition, Replica replica, LogReadInfo read, long logStartOffset, long replicaEpoch) {
        long endBefore = replica.stateSnapshot().logEndOffset();
        long startBefore = replica.stateSnapshot().logStartOffset();
        partition.steady().lock();
        try {
            replica.updateFetchStateOrThrow(
                    read.fetchedData().fetchOffsetMetadata,
                    logStartOffset,
                    broker.time().milliseconds(),
                    read.logEndOffset(),
                    replicaEpoch);
        } finally {
            partition.steady().unlock();
        }
        proposeJoinIfCaughtUp(partition, replica);
        boolean advanced = replica.stateSnapshot().logEndOffset() != endBefore && advanceHighWatermark(partition);
        if (advanced || replica.stateSnapshot().logStartOffset() > startBefore) {
            broker.waiting().highWatermarkMoved(partition.key());
        }
    }

    private static boolean advanceHighWatermark(Partition partition) {
        partition.steady().lock();
        try {
            UnifiedLog log = partition.leaderLog();
            return log != null && PartitionAppends.advanceHighWatermark(partition, log);
        } finally {
            partition.steady().unlock();
        }
    }

    private void proposeJoinIfCaughtUp(Partition partition, Replica replica) {
        if (!mayJoin(partition, replica)) {
            return;
        }
        PendingPartitionChange proposal = null;
        partition.changing().lock();
        try {
            if (mayJoin(partition, replica)) {
                proposal = partition
                        .replicas()
                        .proposeJoin(replica.brokerId(), partition.leadership(), brokerEpoch.getAsLong());
            }
        } finally {
            partition.changing().unlock();
        }
        submit(partition, proposal);
    }

    private static boolean mayJoin(Partition partition, Replica replica) {
        UnifiedLog log = partition.leaderLog();
        return log != null
                && partition
                        .replicas()
                        .mayJoin(replica, log, partition.leadership().epochStartOffset());
    }

    /** Proposes that followers leave which have not caught up for {@code replica.lag.time.max.ms}. */
    void proposeLeaveOfLagging(Partition partition) {
        if (lagging(partition).isEmpty()) {
            return;
        }
        PendingPartitionChange proposal = null;
        partition.changing().lock();
        try {
            Set<Integer> lagging = lagging(partition);
            if (!lagging.isEmpty()) {
                LOGGER.info(
                        "shrinking ISR: partition={} leaving={} {}",
                        partition.topicPartition(),
                        lagging,
                        partition.replicas());
                proposal = partition.replicas().proposeLeave(lagging, partition.leadership(), brokerEpoch.getAsLong());
            }
        } finally {
            partition.changing().unlock();
        }
        submit(partition, proposal);
    }

    private Set<Integer> lagging(Partition partition) {
        UnifiedLog log = partition.leaderLog();
        return log == null
                ? Set.of()
                : partition.replicas().lagging(log, broker.time().milliseconds(), broker.maxLagMs());
    }

    private void submit(Partition partition, @Nullable PendingPartitionChange proposal) {
        AlterPartitionManager asked = proposal == null ? null : controller();
        if (proposal == null || asked == null) {
            return;
        }
        TopicIdPartition id = new TopicIdPartition(
                partition.topicId(), partition.topicPartition().partition());
        var unused = asked.submit(id, proposal.sentLeaderAndIsr())
                .whenComplete((confirmed, fault) -> answered(partition, proposal, confirmed, fault));
    }

    private void answered(
            Partition partition,
            PendingPartitionChange proposal,
            @Nullable LeaderAndIsr confirmed,
            @Nullable Throwable fault) {
        boolean advanced = false;
        boolean again = false;
        partition.changing().lock();
        try {
            if (partition.replicas().isUnderWay(proposal)) {
                if (confirmed != null) {
                    advanced = confirm(partition, proposal, confirmed);
                } else {
                    again = isWorthTrying(partition, proposal, Errors.forException(fault));
                }
            }
        } finally {
            partition.changing().unlock();
        }
        if (advanced) {
            broker.waiting().highWatermarkMoved(partition.key());
        }
        if (again) {
            submit(partition, proposal);
        }
    }

    private boolean confirm(Partition partition, PendingPartitionChange proposal, LeaderAndIsr confirmed) {
        Leadership leadership = partition.leadership();
        if (confirmed.leaderEpoch() != leadership.leaderEpoch()
                || confirmed.partitionEpoch() < leadership.partitionEpoch()) {
            metrics.failedIsrUpdates().mark();
            return false;
        }
        partition.replicas().confirm(confirmed);
        partition.confirmed(confirmed.partitionEpoch());
        (proposal instanceof PendingExpandIsr ? metrics.isrExpands() : metrics.isrShrinks()).mark();
        LOGGER.info("ISR updated: {}", partition);
        UnifiedLog log = partition.leaderLog();
        return log != null && PartitionAppends.advanceHighWatermark(partition, log);
    }

    /** What the controller will never apply is withdrawn or left to the metadata; the outcome of the rest is unknown. */
    private boolean isWorthTrying(Partition partition, PendingPartitionChange proposal, Errors error) {
        metrics.failedIsrUpdates().mark();
        LOGGER.info("ISR change refused: errorCode={} proposal={} {}", error, proposal, partition);
        return switch (error) {
            case OPERATION_NOT_ATTEMPTED, INELIGIBLE_REPLICA -> {
                partition.replicas().withdraw(proposal);
                yield false;
            }
            case UNKNOWN_TOPIC_OR_PARTITION,
                    UNKNOWN_TOPIC_ID,
                    FENCED_LEADER_EPOCH,
                    INVALID_UPDATE_VERSION,
                    INVALID_REQUEST,
                    NEW_LEADER_ELECTED -> false;
            default -> true;
        };
    }

    private @Nullable AlterPartitionManager controller() {
        synchronized (lock) {
            if (controller == null && !closed) {
                controller = new DefaultAlterPartitionManager(
                        channel, broker.logs().scheduler(), broker.id(), brokerEpoch::getAsLong);
                controller.start();
            }
            return closed ? null : controller;
        }
    }

    @Override
    public void close() {
        AlterPartitionManager last;
        synchronized (lock) {
            closed = true;
            last = controller;
        }
        try {
            if (last == null) {
                channel.shutdown();
            } else {
                last.shutdown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
