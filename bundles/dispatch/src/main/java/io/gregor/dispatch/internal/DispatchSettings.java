package io.gregor.dispatch.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.change.ThreadCounts;
import io.gregor.internal.node.GregorConfigs;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.ServerConfigs;

/**
 * Immutable. The settings of one role's dispatch that change while it runs: its threads, how many requests may wait for them,
 * and for how long requests wait for a handler.
 */
public final class DispatchSettings implements LiveSettings {
    private static final String THREADS = ServerConfigs.NUM_IO_THREADS_CONFIG;
    private static final String CAPACITY = SocketServerConfigs.QUEUED_MAX_REQUESTS_CONFIG;
    private static final String GAP = GregorConfigs.HANDLER_SWAP_TIMEOUT_MS_CONFIG;
    private static final Set<String> KEYS = Set.of(THREADS, CAPACITY, GAP);

    private final HandlerPool pool;
    private final RequestChannel channel;
    private final HandlerRegistry registry;

    DispatchSettings(HandlerPool pool, RequestChannel channel, HandlerRegistry registry) {
        this.pool = pool;
        this.channel = channel;
        this.registry = registry;
    }

    @Override
    public boolean owns(String key) {
        return KEYS.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        AbstractConfig after = change.after().values();
        Set<String> changed = change.keys();
        if (changed.contains(THREADS) && !change.isReplay()) {
            ThreadCounts.check(THREADS, pool.size(), after.getInt(THREADS));
        }
        return PreparedChange.of(() -> {
            if (changed.contains(THREADS)) {
                pool.resize(after.getInt(THREADS));
            }
            if (changed.contains(CAPACITY)) {
                channel.resize(after.getInt(CAPACITY));
            }
            if (changed.contains(GAP)) {
                registry.gapTimeoutMs(after.getLong(GAP));
            }
        });
    }
}
