package io.gregor.replication.internal;

import io.gregor.internal.storage.Logs;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.MetadataCache;

/**
 * What every partition needs of its broker. Immutable.
 *
 * @param metadata as this node has applied it, before its partitions have
 * @param waiting the operations that a partition may set free
 * @param maxLagMs {@code replica.lag.time.max.ms}
 */
record BrokerContext(int id, Logs logs, MetadataCache metadata, WaitingOperations waiting, Time time, long maxLagMs) {}
