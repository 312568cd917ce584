package io.gregor.internal.quota;

import org.apache.kafka.server.quota.ReplicationQuotaManager;

/**
 * How fast replicas are copied (KIP-73, KIP-113): rates of the broker's settings, throttled replicas of its topics', always
 * those of the metadata. A service with the property {@code role}. Shared: any thread; nothing blocks.
 */
public interface ReplicationQuotas {
    /** What followers read here: {@code leader.replication.throttled.rate} and {@code .replicas}. */
    ReplicationQuotaManager leader();

    /** What is read from leaders: {@code follower.replication.throttled.rate} and {@code .replicas}. */
    ReplicationQuotaManager follower();

    /** What is copied between log directories: {@code replica.alter.log.dirs.io.max.bytes.per.second}. */
    ReplicationQuotaManager alterLogDirs();
}
