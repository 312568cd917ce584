package io.gregor.storage.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.change.ThreadCounts;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.storage.TopicDefaultKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.coordinator.transaction.TransactionLogConfig;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogCleaner;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * The settings of the logs that change while the broker runs: the defaults of all topics, the threads, the cleaner, how long
 * producers are remembered, the cordoned directories. What changes before the logs are loaded counts for them when they are;
 * loading is not waited for. Shared: any thread; changes come from the reconfiguration thread.
 */
final class LiveLogSettings implements LiveSettings {
    private static final Set<String> POOLS =
            Set.of(ServerConfigs.BACKGROUND_THREADS_CONFIG, ServerLogConfigs.NUM_RECOVERY_THREADS_PER_DATA_DIR_CONFIG);
    private static final Set<String> PRODUCERS = Set.of(
            TransactionLogConfig.PRODUCER_ID_EXPIRATION_MS_CONFIG,
            TransactionLogConfig.TRANSACTION_PARTITION_VERIFICATION_ENABLE_CONFIG);

    private final LogManager manager;
    private final KafkaScheduler scheduler;
    private final CordonedDirectories cordoned;
    private final boolean isCleanerEnabled;

    /** Guards that a log's own settings and the defaults do not overwrite each other. */
    private final Object logsLock = new Object();

    private final Object workersLock = new Object();
    private volatile NodeConfig current;
    private volatile boolean isLoaded;

    @GuardedBy("logsLock")
    private boolean haveDefaultsChanged;

    /** What the scheduler and the cleaner work with. */
    @GuardedBy("workersLock")
    private NodeConfig ofWorkers;

    LiveLogSettings(NodeConfig start, LogManager manager, KafkaScheduler scheduler, CordonedDirectories cordoned) {
        this.manager = manager;
        this.scheduler = scheduler;
        this.cordoned = cordoned;
        this.isCleanerEnabled = new CleanerConfig(start.values()).enableCleaner;
        this.current = start;
        this.ofWorkers = start;
    }

    @Override
    public boolean owns(String key) {
        return TopicDefaultKeys.contains(key)
                || POOLS.contains(key)
                || PRODUCERS.contains(key)
                || key.equals(ServerLogConfigs.CORDONED_LOG_DIRS_CONFIG)
                || (isCleanerEnabled && LogCleaner.RECONFIGURABLE_CONFIGS.contains(key));
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        if (!change.isReplay()) {
            checkThreads(change);
        }
        LogConfig defaults = new LogConfig(change.after().topicDefaults());
        return PreparedChange.of(() -> apply(change.after(), defaults));
    }

    private void checkThreads(ConfigChange change) {
        for (String key : change.keys()) {
            if (POOLS.contains(key)) {
                ThreadCounts.check(
                        key,
                        change.before().values().getInt(key),
                        change.after().values().getInt(key));
            }
        }
        LogCleaner cleaner = manager.cleaner();
        if (cleaner != null && change.keys().contains(CleanerConfig.LOG_CLEANER_THREADS_PROP)) {
            cleaner.validateReconfiguration(new CleanerConfig(change.after().values()));
        }
    }

    private void apply(NodeConfig after, LogConfig defaults) {
        TransactionLogConfig transactions = new TransactionLogConfig(after.values());
        ProducerStateManagerConfig producers = manager.producerStateManagerConfig();
        producers.setProducerIdExpirationMs(transactions.producerIdExpirationMs());
        producers.setTransactionVerificationEnabled(transactions.transactionPartitionVerificationEnable());
        if (differ(current, after, Set.of(ServerLogConfigs.NUM_RECOVERY_THREADS_PER_DATA_DIR_CONFIG))) {
            manager.resizeRecoveryThreadPool(after.values().numRecoveryThreadsPerDataDir());
        }
        cordoned.change(after.values().cordonedLogDirs());
        boolean areOthers = !current.topicDefaults().equals(after.topicDefaults());
        current = after;
        if (areOthers) {
            changeDefaults(defaults);
        }
        changeWorkers();
    }

    /** The logs are loaded, the scheduler and the cleaner run: they get what has changed meanwhile. */
    void loaded() {
        isLoaded = true;
        synchronized (logsLock) {
            if (haveDefaultsChanged) {
                updateLogs();
            }
        }
        changeWorkers();
    }

    /** Gives the logs of a topic its changed settings. */
    void topicConfigChanged(String topic, Properties settings, boolean isRemoteStorageOn) {
        synchronized (logsLock) {
            boolean wasRemote = false;
            for (UnifiedLog log : manager.logsByTopic(topic)) {
                wasRemote |= log.remoteLogEnabled();
            }
            manager.updateTopicConfig(topic, settings, isRemoteStorageOn, wasRemote);
        }
    }

    private void changeDefaults(LogConfig defaults) {
        synchronized (logsLock) {
            haveDefaultsChanged = true;
            manager.reconfigureDefaultLogConfig(defaults);
            manager.brokerConfigUpdated();
            if (isLoaded) {
                updateLogs();
            }
        }
    }

    @GuardedBy("logsLock")
    private void updateLogs() {
        LogConfig defaults = manager.currentDefaultConfig();
        manager.allLogs().forEach(log -> log.updateConfig(withOwn(log.config(), defaults)));
    }

    /** The defaults, under what the log's topic has of its own. */
    private static LogConfig withOwn(LogConfig present, LogConfig defaults) {
        if (present.overriddenConfigs.isEmpty()) {
            return defaults;
        }
        Map<String, Object> values = new HashMap<>(defaults.originals());
        Map<String, Object> ofLog = present.originals();
        present.overriddenConfigs.forEach(key -> values.put(key, ofLog.get(key)));
        return new LogConfig(values, present.overriddenConfigs);
    }

    /** The scheduler can be resized only while it runs; the cleaner is made when the logs are loaded. */
    private void changeWorkers() {
        synchronized (workersLock) {
            NodeConfig before = ofWorkers;
            NodeConfig now = current;
            if (!isLoaded || before == now) {
                return;
            }
            if (differ(before, now, Set.of(ServerConfigs.BACKGROUND_THREADS_CONFIG))) {
                scheduler.resizeThreadPool(now.values().backgroundThreads());
            }
            LogCleaner cleaner = manager.cleaner();
            if (cleaner != null && differ(before, now, LogCleaner.RECONFIGURABLE_CONFIGS)) {
                cleaner.reconfigure(new CleanerConfig(before.values()), new CleanerConfig(now.values()));
            }
            ofWorkers = now;
        }
    }

    private static boolean differ(NodeConfig one, NodeConfig other, Set<String> keys) {
        Map<String, ?> first = one.values().values();
        Map<String, ?> second = other.values().values();
        return keys.stream().anyMatch(key -> !Objects.equals(first.get(key), second.get(key)));
    }
}
