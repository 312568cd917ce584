package io.gregor.replication.internal;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.log.remote.TopicPartitionLog;
import org.apache.kafka.server.partition.PartitionListener;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpoints;
import org.apache.kafka.storage.internals.log.LogOffsetsListener;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition with a replica on this broker: its log, who leads it, who watches it. Leadership changes under the write lock,
 * appends and reads run under the read lock, so that none of them spans a change. Shared: any thread.
 *
 * <pre>
 *   created ──▶ leader ◀──▶ follower ──▶ deleted
 *                  └───────────┴───────▶ offline   (its log directory failed; a new object may follow)
 * </pre>
 */
final class Partition implements TopicPartitionLog {
    private static final Logger LOGGER = LoggerFactory.getLogger("state.change.logger");
    private static final int UNCHECKED_EPOCH = -1;

    private final BrokerContext broker;
    private final TopicPartition topicPartition;
    private final Uuid topicId;
    private final TopicPartitionOperationKey key;
    private final InSyncReplicas replicas;
    private final List<PartitionListener> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private volatile Leadership leadership = Leadership.UNKNOWN;
    private volatile @Nullable UnifiedLog log;
    private volatile boolean offline;

    Partition(BrokerContext broker, TopicPartition topicPartition, Uuid topicId) {
        this.broker = broker;
        this.topicPartition = topicPartition;
        this.topicId = topicId;
        this.key = new TopicPartitionOperationKey(topicPartition);
        this.replicas = new InSyncReplicas(broker.id(), topicPartition, broker.metadata());
    }

    BrokerContext broker() {
        return broker;
    }

    @Override
    public TopicPartition topicPartition() {
        return topicPartition;
    }

    Uuid topicId() {
        return topicId;
    }

    /** Under which operations that wait for this partition are watched. */
    TopicPartitionOperationKey key() {
        return key;
    }

    InSyncReplicas replicas() {
        return replicas;
    }

    Leadership leadership() {
        return leadership;
    }

    /** Whether its log directory has failed. */
    boolean isOffline() {
        return offline;
    }

    /** Held while something must not span a leadership change. */
    Lock steady() {
        return lock.readLock();
    }

    /** Held while leadership or replicas change. */
    Lock changing() {
        return lock.writeLock();
    }

    /** The controller has confirmed a change of the replicas; with {@link #changing} held. */
    void confirmed(int partitionEpoch) {
        leadership = leadership.confirmed(partitionEpoch);
    }

    /** The log, if there is one. */
    @Nullable
    UnifiedLog log() {
        return log;
    }

    @Override
    public Optional<UnifiedLog> unifiedLog() {
        return Optional.ofNullable(log);
    }

    /** The log, if this broker leads. */
    @Nullable
    UnifiedLog leaderLog() {
        return leadership.isLocal() ? log : null;
    }

    /**
     * The log, if the client's idea of the leader epoch is right and this broker is who it should be.
     *
     * @param currentLeaderEpoch the client's idea; -1 to leave it unchecked
     */
    UnifiedLog logFor(int currentLeaderEpoch, boolean onlyLeader) {
        Leadership now = leadership;
        UnifiedLog found = log;
        Errors error = errorFor(now, currentLeaderEpoch, onlyLeader, found);
        if (error != Errors.NONE || found == null) {
            throw error.exception("no " + (onlyLeader ? "leader" : "replica") + " for partition=" + topicPartition
                    + " leaderEpoch=" + currentLeaderEpoch + ": the leader is " + now.leaderId()
                    + " with leaderEpoch=" + now.leaderEpoch());
        }
        return found;
    }

    private static Errors errorFor(Leadership now, int asked, boolean onlyLeader, @Nullable UnifiedLog log) {
        if (asked != UNCHECKED_EPOCH && asked != now.leaderEpoch()) {
            return asked < now.leaderEpoch() ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH;
        }
        return (onlyLeader && !now.isLocal()) || log == null ? Errors.NOT_LEADER_OR_FOLLOWER : Errors.NONE;
    }

    /**
     * Becomes the leader, or takes over changed replicas as the leader. Its log is created if it is not there.
     *
     * @return whether it did not lead before
     */
    boolean makeLeader(PartitionRegistration registration, boolean isNew, OffsetCheckpoints marks, Uuid directory) {
        boolean advanced;
        boolean isNewLeader;
        lock.writeLock().lock();
        try {
            if (isStale(registration)) {
                return false;
            }
            isNewLeader = !leadership.isLocal();
            replicas.lead(registration);
            UnifiedLog leaderLog = ensureLog(isNew, marks, directory);
            long epochStart = leadership.epochStartOffset();
            if (registration.leaderEpoch > leadership.leaderEpoch()) {
                epochStart = leaderLog.logEndOffset();
                leaderLog.assignEpochStartOffset(registration.leaderEpoch, epochStart);
                replicas.startEpoch(broker.time().milliseconds(), epochStart, isNewLeader);
                logLeader(registration, epochStart, leaderLog);
            }
            leadership = Leadership.leader(registration, epochStart);
            advanced = PartitionAppends.advanceHighWatermark(this, leaderLog);
        } finally {
            lock.writeLock().unlock();
        }
        if (advanced) {
            broker.waiting().highWatermarkMoved(key);
        }
        return isNewLeader;
    }

    /**
     * Becomes a follower, or stands by without a leader. Its log is created if it is not there.
     *
     * @return whether the leader epoch is a new one
     */
    boolean makeFollower(PartitionRegistration registration, boolean isNew, OffsetCheckpoints marks, Uuid directory) {
        lock.writeLock().lock();
        try {
            if (isStale(registration)) {
                return false;
            }
            boolean isNewEpoch = registration.leaderEpoch > leadership.leaderEpoch();
            leadership = Leadership.follower(registration);
            replicas.follow(registration);
            UnifiedLog followerLog = ensureLog(isNew, marks, directory);
            if (isNewEpoch) {
                LOGGER.info(
                        "follower starts: partition={} topicId={} leader={} leaderEpoch={} partitionEpoch={} offset={} highWatermark={}",
                        topicPartition,
                        topicId,
                        registration.leader,
                        registration.leaderEpoch,
                        registration.partitionEpoch,
                        followerLog.logEndOffset(),
                        followerLog.highWatermark());
            }
            return isNewEpoch;
        } finally {
            lock.writeLock().unlock();
        }
    }

    private boolean isStale(PartitionRegistration registration) {
        if (registration.partitionEpoch >= leadership.partitionEpoch()) {
            return false;
        }
        LOGGER.info(
                "stale change skipped: partition={} topicId={} partitionEpoch={} known={}",
                topicPartition,
                topicId,
                registration.partitionEpoch,
                leadership.partitionEpoch());
        return true;
    }

    private void logLeader(PartitionRegistration registration, long epochStart, UnifiedLog leaderLog) {
        LOGGER.info(
                "leader starts: partition={} topicId={} leaderEpoch={} partitionEpoch={} offset={} highWatermark={} {} formerLeader={} formerLeaderEpoch={}",
                topicPartition,
                topicId,
                registration.leaderEpoch,
                registration.partitionEpoch,
                epochStart,
                leaderLog.highWatermark(),
                replicas,
                leadership.leaderId(),
                leadership.leaderEpoch());
    }

    private UnifiedLog ensureLog(boolean isNew, OffsetCheckpoints marks, Uuid directory) {
        UnifiedLog existing = log;
        if (existing == null) {
            existing = new PartitionLog(broker, topicPartition, topicId)
                    .open(isNew, marks, directory, new HighWatermarkRelay());
            log = existing;
        }
        return existing;
    }

    /** The log's copy in another directory takes its place; with {@link #changing} held. */
    void replaceLog(UnifiedLog copy) {
        copy.setLogOffsetsListener(new HighWatermarkRelay());
        log = copy;
    }

    /** The replica was deleted: no append and no read touches the log from now on. */
    void delete() {
        leave(false, listener -> listener.onDeleted(topicPartition));
    }

    /** The replica's log directory has failed. */
    void markOffline() {
        leave(true, listener -> listener.onFailed(topicPartition));
    }

    private void leave(boolean failed, Consumer<PartitionListener> farewell) {
        List<PartitionListener> told;
        lock.writeLock().lock();
        try {
            offline = failed;
            leadership = leadership.gone();
            replicas.clear();
            log = null;
            told = List.copyOf(listeners);
            listeners.clear();
        } finally {
            lock.writeLock().unlock();
        }
        told.forEach(farewell);
    }

    /** Tells those who watch that this broker follows now. */
    void announceFollower() {
        listeners.forEach(listener -> listener.onBecomingFollower(topicPartition));
    }

    /** Watches the partition; false if its replica has left. */
    boolean watch(PartitionListener listener) {
        lock.readLock().lock();
        try {
            if (log == null) {
                return false;
            }
            listeners.add(listener);
            return true;
        } finally {
            lock.readLock().unlock();
        }
    }

    void unwatch(PartitionListener listener) {
        listeners.remove(listener);
    }

    @Override
    public String toString() {
        return "partition=" + topicPartition + " topicId=" + topicId + " " + leadership + " " + replicas;
    }

    /** The log calls it when its high watermark moves. Shared: any thread. */
    private final class HighWatermarkRelay implements LogOffsetsListener {
        @Override
        public void onHighWatermarkUpdated(long offset) {
            for (PartitionListener listener : listeners) {
                listener.onHighWatermarkUpdated(topicPartition, offset);
            }
        }
    }
}
