package io.gregor.internal.transport;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Endpoint;

/**
 * Tells the cluster where this node is reached when its listeners change: the broker registered again under the same
 * incarnation, or the controller. A service with the property {@code role} once the node is registered; before that there
 * is nothing to tell, since a registration starts with {@link BoundListeners}. Shared: any thread.
 */
public interface ListenerRegistrar {
    /**
     * Registers with these addresses instead.
     *
     * @param advertised all of them, with names in upper case, real ports and hosts that are not empty
     * @return ends when this node's own metadata shows them; fails with the reason if they are refused, or after a time. A
     *     refusal leaves the former registration as it was
     */
    CompletableFuture<Void> register(List<Endpoint> advertised);
}
