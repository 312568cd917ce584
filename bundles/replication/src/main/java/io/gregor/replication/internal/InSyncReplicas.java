package io.gregor.replication.internal;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;
import org.apache.kafka.server.partition.AssignmentState;
import org.apache.kafka.server.partition.CommittedPartitionState;
import org.apache.kafka.server.partition.OngoingReassignmentState;
import org.apache.kafka.server.partition.PartitionState;
import org.apache.kafka.server.partition.SimpleAssignmentState;
import org.apache.kafka.server.replica.Replica;
import org.apache.kafka.server.replica.ReplicaState;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * The replicas of one partition as its leader sees them: assigned, in sync, and how far the remote ones are. Written under the
 * partition's write lock; Shared: any thread reads.
 */
final class InSyncReplicas {
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

    /** How far all replicas are that count: those in sync, or about to be if the controller agrees. */
    LogOffsetMetadata replicatedUpTo(LogOffsetMetadata leaderEnd) {
        if (remote.isEmpty()) {
            return leaderEnd;
        }
        Set<Integer> counted = state.maximalIsr();
        LogOffsetMetadata lowest = leaderEnd;
        for (Replica replica : remote.values()) {
            LogOffsetMetadata end = replica.stateSnapshot().logEndOffsetMetadata();
            if (end.messageOffset < lowest.messageOffset && counted.contains(replica.brokerId())) {
                lowest = end;
            }
        }
        return lowest;
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
