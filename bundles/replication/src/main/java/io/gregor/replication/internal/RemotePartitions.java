package io.gregor.replication.internal;

import io.gregor.internal.node.EngineThread;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.common.StopPartition;
import org.apache.kafka.server.log.remote.TopicPartitionLog;
import org.apache.kafka.server.log.remote.storage.RemoteLogManager;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the remote log manager which partitions this broker leads and follows, which of them leave, and when a topic's use of
 * remote storage changes. Remote segments are deleted on a thread of its own, so that metadata does not wait for remote
 * storage; what comes meanwhile follows on that thread, in order. Owned by whoever holds the lock of {@link LeadershipChanges}.
 */
final class RemotePartitions implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(RemotePartitions.class);
    private static final long IDLE_S = 10;
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    /** How a topic uses remote storage. */
    private record Tiering(boolean isOn, boolean isCopied) {
        static final Tiering OFF = new Tiering(false, false);
    }

    private final RemoteLogManager manager;
    private final Map<String, Tiering> told = new HashMap<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final ExecutorService deleter;

    RemotePartitions(RemoteLogManager manager) {
        this.manager = manager;
        ThreadPoolExecutor single = new ThreadPoolExecutor(
                1,
                1,
                IDLE_S,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                EngineThread.daemons("remote-log-deletion-"));
        single.allowCoreThreadTimeOut(true);
        this.deleter = single;
    }

    /** Partitions are led or followed from now on, or under another leader epoch. */
    void changed(Collection<Partition> partitions) {
        Set<TopicPartitionLog> leaders = new HashSet<>();
        Set<TopicPartitionLog> followers = new HashSet<>();
        Map<String, Uuid> topicIds = new HashMap<>();
        for (Partition partition : partitions) {
            UnifiedLog log = partition.log();
            if (log != null && log.remoteLogEnabled()) {
                String topic = partition.topicPartition().topic();
                (partition.leadership().isLocal() ? leaders : followers).add(partition);
                topicIds.put(topic, partition.topicId());
                told.put(topic, tiering(log));
            }
        }
        if (!topicIds.isEmpty()) {
            inOrder(() -> manager.onLeadershipChange(leaders, followers, topicIds), false);
        }
    }

    /** What is to be told of partitions that are about to leave; before their logs are closed. */
    Set<StopPartition> leaving(Collection<Partition> partitions, Predicate<String> isTopicDeleted) {
        Set<StopPartition> stops = new HashSet<>();
        for (Partition partition : partitions) {
            UnifiedLog log = partition.log();
            TopicPartition topicPartition = partition.topicPartition();
            boolean isDeleted = isTopicDeleted.test(topicPartition.topic());
            if (log != null && log.remoteLogEnabled()) {
                boolean isMine = isDeleted && partition.leadership().isLocal();
                stops.add(new StopPartition(topicPartition, true, isMine, false));
            }
            if (isDeleted) {
                told.remove(topicPartition.topic());
            }
        }
        return stops;
    }

    /** Ends the tasks of partitions, and deletes their remote segments if so asked. */
    void stop(Set<StopPartition> stops) {
        if (!stops.isEmpty()) {
            boolean isDeletion = stops.stream().anyMatch(stop -> stop.deleteRemoteLog);
            inOrder(
                    () -> manager.stopPartitions(
                            stops,
                            (partition, fault) -> LOGGER.error(
                                    "remote log could not be stopped or deleted: partition={}", partition, fault)),
                    isDeletion);
        }
    }

    /** The logs of a topic have other settings. */
    void settingsChanged(String topic, Collection<Partition> partitions) {
        Tiering before = told.getOrDefault(topic, Tiering.OFF);
        Tiering now = Tiering.OFF;
        boolean isDeletedWhenOff = false;
        Set<TopicPartitionLog> leaders = new HashSet<>();
        for (Partition partition : partitions) {
            UnifiedLog log = partition.log();
            if (log != null) {
                now = tiering(log);
                isDeletedWhenOff = log.config().remoteLogDeleteOnDisable();
                if (partition.leadership().isLocal()) {
                    leaders.add(partition);
                }
            }
        }
        told.put(topic, now);
        if (now.isOn() && (!before.isOn() || (now.isCopied() && !before.isCopied()))) {
            changed(partitions);
        } else if (now.isOn() && before.isCopied() && !now.isCopied()) {
            inOrder(() -> manager.stopLeaderCopyRLMTasks(leaders), false);
        } else if (before.isOn() && !now.isOn() && isDeletedWhenOff) {
            turnOff(partitions);
        }
    }

    private static Tiering tiering(UnifiedLog log) {
        return log.remoteLogEnabled() ? new Tiering(true, !log.config().remoteLogCopyDisable()) : Tiering.OFF;
    }

    /** The remote segments go; the log begins where its local part does. */
    private void turnOff(Collection<Partition> partitions) {
        Set<StopPartition> stops = new HashSet<>();
        for (Partition partition : partitions) {
            UnifiedLog led = partition.leaderLog();
            stops.add(new StopPartition(partition.topicPartition(), false, led != null, true));
            if (led != null) {
                led.maybeIncrementLogStartOffset(
                        led.localLogStartOffset(), LogStartOffsetIncrementReason.SegmentDeletion);
            }
        }
        stop(stops);
    }

    private void inOrder(Runnable news, boolean takesTime) {
        if (!takesTime && pending.get() == 0) {
            tell(news);
            return;
        }
        pending.incrementAndGet();
        deleter.execute(() -> {
            tell(news);
            pending.decrementAndGet();
        });
    }

    /** What a plugin throws must not keep this broker from serving the partitions. */
    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | LinkageError e) {
            LOGGER.error("remote log manager could not be told", e);
        }
    }

    /** Ends a deletion that is under way; what it leaves in remote storage is nobody's any more. */
    @Override
    public void close() {
        deleter.shutdownNow();
        try {
            if (!deleter.awaitTermination(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                LOGGER.warn("deletion of remote segments is still under way");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
