package io.gregor.dispatch.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;

/**
 * Where a role's dispatch is. Immutable.
 *
 * @param role whose requests are dispatched
 * @param config the node's configuration
 * @param handlers what the handler threads of all roles have in common
 */
public record RoleContext(Role role, NodeConfig config, HandlerThreads handlers) {
    /** Whether the process has the other role, too, and that role has Kafka's names. */
    boolean isBesideBroker() {
        return role == Role.CONTROLLER && config.roles().contains(Role.BROKER);
    }
}
