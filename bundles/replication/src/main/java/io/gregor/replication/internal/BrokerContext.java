package io.gregor.replication.internal;

import io.gregor.internal.storage.Logs;
import io.gregor.internal.storage.RemoteLogs;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.MetadataCache;
import org.jspecify.annotations.Nullable;

/**
 * What every partition needs of its broker. Immutable.
 *
 * @param metadata as this node has applied it, before its partitions have
 * @param remote the part of the logs that is in remote storage; null without remote storage
 * @param waiting the operations that a partition may set free
 * @param maxLagMs {@code replica.lag.time.max.ms}
 */
record BrokerContext(
        int id,
        Logs logs,
        @Nullable RemoteLogs remote,
        MetadataCache metadata,
        WaitingOperations waiting,
        Time time,
        long maxLagMs) {}
