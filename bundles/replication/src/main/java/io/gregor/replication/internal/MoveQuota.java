package io.gregor.replication.internal;

import io.gregor.internal.quota.ReplicationQuotas;
import java.util.function.Supplier;
import org.apache.kafka.server.quota.ReplicaQuota;
import org.jspecify.annotations.Nullable;

/**
 * The quota of what is copied between log directories, of a service that may come and go: without it nothing is held back.
 * Shared: any thread.
 */
public final class MoveQuota implements ReplicaQuota {
    private final Supplier<@Nullable ReplicationQuotas> quotas;

    /** The quota among those that are there at the moment. */
    public MoveQuota(Supplier<@Nullable ReplicationQuotas> quotas) {
        this.quotas = quotas;
    }

    @Override
    public boolean isQuotaExceeded() {
        ReplicationQuotas present = quotas.get();
        return present != null && present.alterLogDirs().isQuotaExceeded();
    }

    @Override
    public boolean isThrottled(org.apache.kafka.common.TopicPartition partition) {
        return true;
    }

    @Override
    public void record(long bytes) {
        ReplicationQuotas present = quotas.get();
        if (present != null) {
            present.alterLogDirs().record(bytes);
        }
    }
}
