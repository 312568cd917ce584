package io.gregor.replication.internal;

import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;

/**
 * Who leads a partition, since when. Immutable.
 *
 * @param leaderId the leader's broker id, -1 for none
 * @param isLocal whether that is this broker, and it has taken over
 * @param epochStartOffset where the local leader's epoch starts in the log, -1 for a follower
 */
record Leadership(int leaderId, int leaderEpoch, int partitionEpoch, boolean isLocal, long epochStartOffset) {
    /** Before the metadata has said anything. */
    static final Leadership UNKNOWN = new Leadership(
            LeaderAndIsr.NO_LEADER,
            LeaderAndIsr.INITIAL_LEADER_EPOCH - 1,
            LeaderAndIsr.INITIAL_PARTITION_EPOCH - 1,
            false,
            LogOffsetMetadata.UNKNOWN_OFFSET_METADATA.messageOffset);

    /** This broker follows, or stands by while there is no leader. */
    static Leadership follower(PartitionRegistration registration) {
        return new Leadership(
                registration.leader,
                registration.leaderEpoch,
                registration.partitionEpoch,
                false,
                LogOffsetMetadata.UNKNOWN_OFFSET_METADATA.messageOffset);
    }

    /** This broker leads; its epoch starts at the offset. */
    static Leadership leader(PartitionRegistration registration, long epochStartOffset) {
        return new Leadership(
                registration.leader, registration.leaderEpoch, registration.partitionEpoch, true, epochStartOffset);
    }

    /** The same, after a change of the partition that the controller has confirmed. */
    Leadership confirmed(int newPartitionEpoch) {
        return new Leadership(leaderId, leaderEpoch, newPartitionEpoch, isLocal, epochStartOffset);
    }

    /** The epochs stay, there is no replica here any more. */
    Leadership gone() {
        return new Leadership(
                LeaderAndIsr.NO_LEADER,
                leaderEpoch,
                partitionEpoch,
                false,
                LogOffsetMetadata.UNKNOWN_OFFSET_METADATA.messageOffset);
    }
}
