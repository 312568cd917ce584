package io.gregor.internal.node;

import java.util.List;

/**
 * The ConfigAdmin pids that {@code node} fills at each start; components that require one exist only on nodes that have
 * it. Immutable.
 */
public final class Configurations {
    /**
     * Factory pid, one configuration per role of the node: {@code role}, and for each of {@link #ROLE_REFERENCES} the target
     * {@code (role=…)}, so that a component which requires it lives once per role and meets only its own role's services.
     */
    public static final String ROLE = "io.gregor.role";

    /**
     * Singleton pid, there if the node has the broker role. Its {@code remoteLogs.cardinality.minimum} is 1 with remote storage
     * and 0 without: who reads records waits for it only where there is any.
     */
    public static final String BROKER = "io.gregor.broker";

    /** Singleton pid, there if the node has the broker role and {@code remote.log.storage.system.enable=true}. */
    public static final String REMOTE_STORAGE = "io.gregor.remote-storage";

    /** Singleton pid, there if the node has the controller role. */
    public static final String CONTROLLER = "io.gregor.controller";

    /**
     * Singleton pid, always there. Its {@code controllerListeners.cardinality.minimum} is 1 with the controller role and 0
     * without: Raft needs the controller's bound ports only where there are any.
     */
    public static final String METADATA = "io.gregor.metadata";

    /** The reference names that {@link #ROLE} configurations aim at their own role. */
    public static final List<String> ROLE_REFERENCES = List.of(
            "intake",
            "ready",
            "bound",
            "handlers",
            "filters",
            "served",
            "authorization",
            "router",
            "metadata",
            "registrar",
            "disconnections",
            "quotas",
            "versions",
            "control");

    private Configurations() {}
}
