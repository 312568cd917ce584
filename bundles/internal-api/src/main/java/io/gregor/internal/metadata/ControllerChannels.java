package io.gregor.internal.metadata;

import io.gregor.internal.node.Role;
import org.apache.kafka.server.common.NodeToControllerChannelManager;

/** Opens channels to the active controller, wherever it is. A service of the metadata bundle. Shared: any thread. */
public interface ControllerChannels {
    /**
     * A new channel with a thread of its own, not started. Its user starts and shuts it down.
     *
     * @param role who uses it: part of the thread's name
     * @param name {@code heartbeat}, {@code forwarding}, {@code alter-partition}, …: part of the thread's name
     * @param retryTimeoutMs how long a request is tried again; {@code Long.MAX_VALUE} for ever
     */
    NodeToControllerChannelManager channel(Role role, String name, long retryTimeoutMs);

    /** A {@link #channel(Role, String, long)} of the broker. */
    default NodeToControllerChannelManager channel(String name, long retryTimeoutMs) {
        return channel(Role.BROKER, name, retryTimeoutMs);
    }
}
