package io.gregor.internal.storage;

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

    /** The broker's background threads, {@code kafka-scheduler-<n>}. */
    Scheduler scheduler();
}
