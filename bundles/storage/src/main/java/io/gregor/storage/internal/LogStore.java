package io.gregor.storage.internal;

import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.storage.DirectoryRow;
import io.gregor.internal.storage.LogDirectories;
import io.gregor.internal.storage.Logs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.transaction.TransactionLogConfig;
import org.apache.kafka.coordinator.transaction.TransactionStateManagerConfig;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.ConfigRepository;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.apache.kafka.server.util.FileLock;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker's log directories and the logs in them: locked when made, loaded by {@link #start}, closed by {@link #close}.
 * Shared: any thread; {@code start} and {@code close} are called once each, one after the other.
 */
public final class LogStore implements LogDirectories, Logs, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(LogStore.class);

    private final int nodeId;
    private final boolean remoteStorage;
    private final KafkaScheduler scheduler;
    private final BrokerTopicStats topicStats;
    private final LogDirFailureChannel failureChannel;
    private final DirectoryFailures failures;
    private final LogManager manager;
    private final CordonedDirectories cordoned;
    private final LiveLogSettings settings;
    private final ShownDirectories shown;

    private volatile long brokerEpoch = -1;

    /**
     * Locks the directories.
     *
     * @param configs where the topics' settings are read from when a log is made
     * @param onAllFailed told when the last directory has failed
     * @throws org.apache.kafka.common.KafkaException if another process uses a directory
     */
    public LogStore(
            NodeConfig node, NodeIdentity identity, ConfigRepository configs, Time time, Consumer<String> onAllFailed)
            throws IOException {
        AbstractKafkaConfig values = node.values();
        nodeId = node.nodeId();
        remoteStorage = new RemoteLogManagerConfig(values).isRemoteStorageSystemEnabled();
        scheduler = new KafkaScheduler(values.backgroundThreads());
        topicStats = new BrokerTopicStats(remoteStorage);
        failureChannel = new LogDirFailureChannel(node.logDirs().size());
        manager = manager(node, identity, configs, time);
        failures = new DirectoryFailures(failureChannel, manager, onAllFailed);
        cordoned = new CordonedDirectories(manager, values.cordonedLogDirs());
        settings = new LiveLogSettings(node, manager, scheduler, cordoned);
        shown = new ShownDirectories(node.logDirs(), identity.directoryIds(), manager);
    }

    private LogManager manager(NodeConfig node, NodeIdentity identity, ConfigRepository configs, Time time)
            throws IOException {
        AbstractKafkaConfig values = node.values();
        TransactionLogConfig transactions = new TransactionLogConfig(values);
        List<File> directories = new ArrayList<>();
        List<File> offline = new ArrayList<>();
        for (Path path : node.logDirs()) {
            File directory = path.toFile();
            directories.add(directory);
            if (!identity.directoryIds().containsKey(directory.getAbsolutePath())) {
                offline.add(directory);
            }
        }
        return new LogManager(
                directories,
                offline,
                configs,
                new LogConfig(node.topicDefaults()),
                new CleanerConfig(values),
                values.numRecoveryThreadsPerDataDir(),
                values.logFlushSchedulerIntervalMs(),
                values.logFlushOffsetCheckpointIntervalMs(),
                values.logFlushStartOffsetCheckpointIntervalMs(),
                values.logCleanupIntervalMs(),
                new TransactionStateManagerConfig(values).transactionMaxTimeoutMs(),
                new ProducerStateManagerConfig(
                        transactions.producerIdExpirationMs(), transactions.transactionPartitionVerificationEnable()),
                transactions.producerIdExpirationCheckIntervalMs(),
                scheduler,
                topicStats,
                failureChannel,
                time,
                remoteStorage,
                values.logInitialTaskDelayMs(),
                (config, dirs, logs, failureChannel, clock) ->
                        new DormantLogCleaner(config, dirs, logs, failureChannel, clock, scheduler, this::moving));
    }

    /** The partitions that were loaded with a copy in another directory. */
    private List<TopicPartition> moving() {
        return manager.allLogs().stream()
                .filter(UnifiedLog::isFuture)
                .map(UnifiedLog::topicPartition)
                .toList();
    }

    /** Loads and recovers the logs, those that the image does not assign to this broker put aside. May take minutes. */
    public void start(MetadataImage image) throws Exception {
        scheduler.startup();
        new LogLoading(nodeId, image.topics(), manager).load();
        settings.loaded();
        failures.start();
    }

    /** What changes while the broker runs; it may before {@link #start}, too. */
    public LiveSettings liveSettings() {
        return settings;
    }

    /** Gives the logs of a topic its changed settings. */
    public void topicConfigChanged(String topic, Properties ofTopic) {
        settings.topicConfigChanged(topic, ofTopic, remoteStorage);
    }

    /** Flushes and closes the logs and marks the directories as cleanly closed under the broker's epoch. */
    @Override
    public void close() {
        failures.close();
        Set<UnifiedLog> logs = manager.allLogs();
        try {
            scheduler.shutdown();
            manager.shutdown(brokerEpoch);
        } catch (IOException e) {
            LOGGER.warn("log directories could not all be closed cleanly: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            unlock();
            logs.forEach(UnifiedLog::removeLogMetrics);
            topicStats.close();
            StorageMetrics.removeLeftovers();
        }
    }

    /** A directory that failed has lost its lock; the log manager then leaves those after it locked. */
    private void unlock() {
        for (FileLock lock : manager.dirLocks()) {
            try {
                lock.destroy();
            } catch (IOException e) {
                LOGGER.debug("lock is released already: file={}", lock.file());
            }
        }
    }

    @Override
    public Map<String, Uuid> ids() {
        return Map.copyOf(manager.directoryIds());
    }

    @Override
    public List<DirectoryRow> rows() {
        return shown.rows();
    }

    @Override
    public OptionalLong previousBrokerEpoch() {
        return manager.readBrokerEpochFromCleanShutdownFiles();
    }

    @Override
    public void brokerEpoch(long epoch) {
        brokerEpoch = epoch;
    }

    @Override
    public long brokerEpoch() {
        return brokerEpoch;
    }

    @Override
    public Runnable onFailure(Consumer<Uuid> listener) {
        return failures.addListener(listener);
    }

    @Override
    public Runnable onCordoned(Consumer<Set<Uuid>> listener) {
        return cordoned.addListener(listener);
    }

    @Override
    public Runnable beforeFailure(Consumer<String> takeOffline) {
        return failures.addTakeOffline(takeOffline);
    }

    @Override
    public LogManager manager() {
        return manager;
    }

    @Override
    public BrokerTopicStats topicStats() {
        return topicStats;
    }

    @Override
    public LogDirFailureChannel directoryFailures() {
        return failureChannel;
    }

    @Override
    public Scheduler scheduler() {
        return scheduler;
    }
}
