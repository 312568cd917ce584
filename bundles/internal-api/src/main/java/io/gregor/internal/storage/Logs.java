package io.gregor.internal.storage;

import java.util.function.Consumer;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** The logs of this broker, recovered and running. A service of the storage bundle. Shared: any thread. */
public interface Logs {
    /** Kafka's log manager, started. */
    LogManager manager();

    /** Counters of topics, shared by all who append and read. */
    BrokerTopicStats topicStats();

    /** Where failures of log directories are reported. */
    LogDirFailureChannel directoryFailures();

    /**
     * Calls an action with the absolute path of each directory that fails from now on, before its logs are closed, so that
     * its partitions are taken offline first. The failure is told to others ({@link LogDirectories#onFailure}) after it.
     *
     * @param takeOffline called on the thread that handles the failure
     * @return ends the watch when run
     */
    Runnable beforeFailure(Consumer<String> takeOffline);

    /** The broker's background threads, {@code kafka-scheduler-<n>}. */
    Scheduler scheduler();
}
