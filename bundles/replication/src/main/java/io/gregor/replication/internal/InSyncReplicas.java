package io.gregor.replication.internal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AlterPartitionRequestData.BrokerState;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;
import org.apache.kafka.server.partition.AssignmentState;
import org.apache.kafka.server.partition.CommittedPartitionState;
import org.apache.kafka.server.partition.OngoingReassignmentState;
import org.apache.kafka.server.partition.PartitionState;
import org.apache.kafka.server.partition.PendingExpandIsr;
import org.apache.kafka.server.partition.PendingPartitionChange;
import org.apache.kafka.server.partition.PendingShrinkIsr;
import org.apache.kafka.server.partition.SimpleAssignmentState;
import org.apache.kafka.server.replica.Replica;
import org.apache.kafka.server.replica.ReplicaState;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of one partition as its leader sees them: assigned, in sync, and how far the remote ones are. Written under the
 * partition's write lock; Shared: any thread reads.
 */
final class InSyncReplicas {
    private static final long UNKNOWN_BROKER_EPOCH = -1;
    private static final PartitionState NOBODY = new CommittedPartitionState(Set.of(), LeaderRecoveryState.RECOVERED);

    private final int localId;
    private final TopicPartition topicPartition;
    private final MetadataCache metadata;
    private final ConcurrentHashMap<Integer, Replica> remote = new ConcurrentHashMap<>(2);

    private volatile PartitionState state = NOBODY;
    private volatile AssignmentState assignment = new SimpleAssignmentState(List.of());

    InSyncReplicas(int localId, TopicPartition topicPartition, MetadataCache metadata) {
        this.localId = localId;
        this.topicPartition = topicPartition;
        this.metadata = metadata;
    }

    /** Takes over what the metadata says, as the leader. */
    void lead(PartitionRegistration registration) {
        for (int id : registration.replicas) {
            if (id != localId) {
                remote.computeIfAbsent(id, missing -> new Replica(missing, topicPartition, metadata));
            }
        }
        List<Integer> replicas = Replicas.toList(registration.replicas);
        remote.keySet().retainAll(replicas);
        assign(registration, new LinkedHashSet<>(Replicas.toList(registration.isr)), LeaderRecoveryState.RECOVERED);
    }

    /** Takes over what the metadata says, as a follower, who does not know who is in sync. */
    void follow(PartitionRegistration registration) {
        remote.clear();
        assign(registration, Set.of(), registration.leaderRecoveryState);
    }

    /** Forgets everything: the replica is gone. */
    void clear() {
        remote.clear();
        assignment = new SimpleAssignmentState(List.of());
        state = NOBODY;
    }

    private void assign(PartitionRegistration registration, Set<Integer> isr, LeaderRecoveryState recovery) {
        List<Integer> replicas = Replicas.toList(registration.replicas);
        boolean isMoving = registration.addingReplicas.length > 0 || registration.removingReplicas.length > 0;
        assignment = isMoving
                ? new OngoingReassignmentState(
                        Replicas.toList(registration.addingReplicas),
                        Replicas.toList(registration.removingReplicas),
                        replicas)
                : new SimpleAssignmentState(replicas);
        state = new CommittedPartitionState(isr, recovery);
    }

    /** What is known of the remote replicas starts anew with a leader epoch. */
    void startEpoch(long nowMs, long epochStartOffset, boolean isNewLeader) {
        Set<Integer> isr = state.isr();
        for (Replica replica : remote.values()) {
            replica.resetReplicaState(nowMs, epochStartOffset, isNewLeader, isr.contains(replica.brokerId()));
        }
    }

    /**
     * How far all replicas are that count: those in sync or proposed to be, and those that have caught up and are only waiting
     * to be proposed, since these could not be if the high watermark went on without them.
     */
    LogOffsetMetadata replicatedUpTo(LogOffsetMetadata leaderEnd, Time time, long maxLagMs) {
        if (remote.isEmpty()) {
            return leaderEnd;
        }
        Set<Integer> counted = state.maximalIsr();
        long nowMs = time.milliseconds();
        LogOffsetMetadata lowest = leaderEnd;
        for (Replica replica : remote.values()) {
            ReplicaState known = replica.stateSnapshot();
            LogOffsetMetadata end = known.logEndOffsetMetadata();
            if (end.messageOffset < lowest.messageOffset
                    && (counted.contains(replica.brokerId())
                            || (known.isCaughtUp(leaderEnd.messageOffset, nowMs, maxLagMs) && isEligible(replica)))) {
                lowest = end;
            }
        }
        return lowest;
    }

    /** Whether a replica's broker may be in sync: alive, not stopping, and the one that fetches here (KIP-903). */
    private boolean isEligible(Replica replica) {
        int id = replica.brokerId();
        Optional<Long> fetching = replica.stateSnapshot().brokerEpoch();
        Optional<Long> alive = metadata.getAliveBrokerEpoch(id);
        return !metadata.isBrokerFenced(id)
                && !metadata.isBrokerShuttingDown(id)
                && fetching.isPresent()
                && alive.isPresent()
                && (fetching.get() == UNKNOWN_BROKER_EPOCH || fetching.equals(alive));
    }

    /** What is known of a remote replica; null if the broker has none. */
    @Nullable
    Replica remote(int brokerId) {
        return remote.get(brokerId);
    }

    /** Whether a remote replica may be proposed to be in sync: it has all that consumers can see, and of this epoch. */
    boolean mayJoin(Replica replica, UnifiedLog leaderLog, long epochStartOffset) {
        PartitionState now = state;
        long end = replica.stateSnapshot().logEndOffset();
        return !now.isInflight()
                && !now.isr().contains(replica.brokerId())
                && end >= leaderLog.highWatermark()
                && end >= epochStartOffset
                && isEligible(replica);
    }

    /** The replicas in sync that have not caught up for so long. */
    Set<Integer> lagging(UnifiedLog leaderLog, long nowMs, long maxLagMs) {
        PartitionState now = state;
        if (now.isInflight() || now.isr().size() < 2) {
            return Set.of();
        }
        long leaderEnd = leaderLog.logEndOffset();
        Set<Integer> lagging = new LinkedHashSet<>();
        for (int id : now.isr()) {
            Replica replica = remote.get(id);
            if (id != localId && (replica == null || !replica.stateSnapshot().isCaughtUp(leaderEnd, nowMs, maxLagMs))) {
                lagging.add(id);
            }
        }
        return lagging;
    }

    /** Proposes that a replica joins those in sync; it counts from now on. Null if a proposal is under way. */
    @Nullable
    PendingPartitionChange proposeJoin(int joining, Leadership leadership, long localEpoch) {
        if (!(state instanceof CommittedPartitionState committed)) {
            return null;
        }
        Set<Integer> isr = new LinkedHashSet<>(committed.isr());
        isr.add(joining);
        PendingExpandIsr pending =
                new PendingExpandIsr(joining, proposal(isr, leadership, localEpoch, committed), committed);
        state = pending;
        return pending;
    }

    /** Proposes that replicas leave those in sync; they count until it is confirmed. Null if a proposal is under way. */
    @Nullable
    PendingPartitionChange proposeLeave(Set<Integer> leaving, Leadership leadership, long localEpoch) {
        if (!(state instanceof CommittedPartitionState committed)) {
            return null;
        }
        Set<Integer> isr = new LinkedHashSet<>(committed.isr());
        isr.removeAll(leaving);
        PendingShrinkIsr pending =
                new PendingShrinkIsr(leaving, proposal(isr, leadership, localEpoch, committed), committed);
        state = pending;
        return pending;
    }

    private LeaderAndIsr proposal(
            Set<Integer> isr, Leadership leadership, long localEpoch, CommittedPartitionState committed) {
        List<BrokerState> members = new ArrayList<>(isr.size());
        for (int id : isr) {
            Replica replica = remote.get(id);
            long epoch = id == localId
                    ? localEpoch
                    : replica == null
                            ? UNKNOWN_BROKER_EPOCH
                            : replica.stateSnapshot().brokerEpoch().orElse(UNKNOWN_BROKER_EPOCH);
            members.add(new BrokerState().setBrokerId(id).setBrokerEpoch(epoch));
        }
        return new LeaderAndIsr(
                localId,
                leadership.leaderEpoch(),
                committed.leaderRecoveryState(),
                members,
                leadership.partitionEpoch());
    }

    /** Whether a proposal is still the one under way; the metadata may have overtaken it. */
    boolean isUnderWay(PendingPartitionChange proposal) {
        return state.equals(proposal);
    }

    /** The controller has confirmed a proposal. */
    void confirm(LeaderAndIsr confirmed) {
        state = new CommittedPartitionState(confirmed.isr(), confirmed.leaderRecoveryState());
    }

    /** The controller has said that a proposal was not and will not be applied. */
    void withdraw(PendingPartitionChange proposal) {
        state = proposal.lastCommittedState();
    }

    /** The lowest start of the log on the leader and its living followers. */
    long lowWatermark(long leaderStart) {
        long lowest = leaderStart;
        for (Replica replica : remote.values()) {
            ReplicaState snapshot = replica.stateSnapshot();
            if (snapshot.logStartOffset() < lowest && metadata.hasAliveBroker(replica.brokerId())) {
                lowest = snapshot.logStartOffset();
            }
        }
        return lowest;
    }

    /** {@code min.insync.replicas}, but never more than there are replicas. */
    int minInSync(UnifiedLog log) {
        return Math.min(log.config().minInSyncReplicas, remote.size() + 1);
    }

    /** The replicas in sync as the controller has confirmed them. */
    Set<Integer> isr() {
        return state.isr();
    }

    /** The replicas in sync, and those that are being added. */
    Set<Integer> maximalIsr() {
        return state.maximalIsr();
    }

    /** How many replicas are assigned. */
    int assignedCount() {
        return assignment.replicas().size();
    }

    boolean isUnderReplicated() {
        return assignment.replicationFactor() - state.isr().size() > 0;
    }

    boolean isReassigning() {
        return assignment instanceof OngoingReassignmentState;
    }

    boolean isAdding(int brokerId) {
        return assignment.isAddingReplica(brokerId);
    }

    @Override
    public String toString() {
        return "assignment=" + assignment + " state=" + state;
    }
}
