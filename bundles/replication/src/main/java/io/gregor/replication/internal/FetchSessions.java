package io.gregor.replication.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.FetchManager;
import org.apache.kafka.server.FetchSession.FetchSessionCache;
import org.apache.kafka.server.FetchSessionCacheShard;

/** Makes the broker's cache of incremental fetch sessions (KIP-227), in shards so that clients do not meet at one lock. Immutable. */
final class FetchSessions {
    private static final int SHARDS = 8;
    private static final long MIN_EVICTION_MS = TimeUnit.MINUTES.toMillis(2);

    private FetchSessions() {}

    /**
     * @param slots {@code max.incremental.fetch.session.cache.slots}
     */
    static FetchManager create(int slots, Time time) {
        int idsPerShard = Integer.MAX_VALUE / SHARDS;
        List<FetchSessionCacheShard> shards = new ArrayList<>(SHARDS);
        for (int shard = 0; shard < SHARDS; shard++) {
            shards.add(new FetchSessionCacheShard(slots / SHARDS, MIN_EVICTION_MS, idsPerShard, shard));
        }
        return new FetchManager(time, new FetchSessionCache(shards));
    }

    /** Removes the cache's gauges, which would go on showing this cache after the next start. */
    static void removeMetrics() {
        FetchSessionCache.METRICS_GROUP.removeMetric("NumIncrementalFetchSessions");
        FetchSessionCache.METRICS_GROUP.removeMetric("NumIncrementalFetchPartitionsCached");
    }
}
