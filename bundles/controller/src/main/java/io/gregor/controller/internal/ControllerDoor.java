package io.gregor.controller.internal;

import io.gregor.internal.node.Role;
import io.gregor.internal.node.RoleReady;
import java.lang.reflect.Array;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the controller's listeners when every API is served that controllers, brokers and what they forward need, and keeps
 * them open, whatever leaves, until it is closed. Brokers learn only once a connection what it serves: one that came too
 * early would never register. There need be no leader: peers elect one through these doors. Shared: guarded by itself.
 */
public final class ControllerDoor implements AutoCloseable {
    /** The APIs without which the doors stay closed. */
    static final Set<ApiKeys> NEEDED = Set.copyOf(EnumSet.of(
            ApiKeys.FETCH,
            ApiKeys.FETCH_SNAPSHOT,
            ApiKeys.VOTE,
            ApiKeys.BEGIN_QUORUM_EPOCH,
            ApiKeys.END_QUORUM_EPOCH,
            ApiKeys.DESCRIBE_QUORUM,
            ApiKeys.ADD_RAFT_VOTER,
            ApiKeys.REMOVE_RAFT_VOTER,
            ApiKeys.UPDATE_RAFT_VOTER,
            ApiKeys.API_VERSIONS,
            ApiKeys.ENVELOPE,
            ApiKeys.CONTROLLER_REGISTRATION,
            ApiKeys.UNREGISTER_CONTROLLER,
            ApiKeys.BROKER_REGISTRATION,
            ApiKeys.BROKER_HEARTBEAT,
            ApiKeys.UNREGISTER_BROKER,
            ApiKeys.ALTER_PARTITION,
            ApiKeys.ALLOCATE_PRODUCER_IDS,
            ApiKeys.ASSIGN_REPLICAS_TO_DIRS,
            ApiKeys.CREATE_TOPICS,
            ApiKeys.DELETE_TOPICS,
            ApiKeys.CREATE_PARTITIONS,
            ApiKeys.ELECT_LEADERS,
            ApiKeys.ALTER_CONFIGS,
            ApiKeys.INCREMENTAL_ALTER_CONFIGS,
            ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
            ApiKeys.LIST_PARTITION_REASSIGNMENTS,
            ApiKeys.ALTER_CLIENT_QUOTAS,
            ApiKeys.ALTER_USER_SCRAM_CREDENTIALS,
            ApiKeys.UPDATE_FEATURES));

    private static final Logger LOGGER = LoggerFactory.getLogger(ControllerDoor.class);

    private final BundleContext context;
    private final Set<ApiKeys> missing = EnumSet.copyOf(NEEDED);
    private boolean isClosed;
    private @Nullable ServiceRegistration<RoleReady> open;

    public ControllerDoor(BundleContext context) {
        this.context = context;
    }

    /** A handler is there for these keys: a number or an array of numbers. */
    public void handlerCame(@Nullable Object apiKeys) {
        if (isLastMissing(apiKeys)) {
            open();
        }
    }

    /** Closes the listeners; they stay closed. */
    @Override
    public void close() {
        ServiceRegistration<RoleReady> closing;
        synchronized (this) {
            isClosed = true;
            closing = open;
            open = null;
        }
        if (closing != null) {
            closing.unregister();
        }
    }

    private synchronized boolean isLastMissing(@Nullable Object apiKeys) {
        boolean wasMissing = false;
        if (apiKeys instanceof Number key) {
            wasMissing = ApiKeys.hasId(key.intValue()) && missing.remove(ApiKeys.forId(key.intValue()));
        } else if (apiKeys != null && apiKeys.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(apiKeys); i++) {
                wasMissing |= isLastMissing(Array.get(apiKeys, i));
            }
        }
        LOGGER.debug("handler came: apiKeys={} missing={}", apiKeys, missing);
        return wasMissing && missing.isEmpty() && !isClosed;
    }

    /** Registers outside the lock: who waits for the doors acts on this thread. */
    private void open() {
        ServiceRegistration<RoleReady> ready = context.registerService(
                RoleReady.class,
                new RoleReady() {},
                FrameworkUtil.asDictionary(Map.of(Role.PROPERTY, Role.CONTROLLER.property())));
        synchronized (this) {
            if (!isClosed) {
                open = ready;
                return;
            }
        }
        ready.unregister();
    }
}
