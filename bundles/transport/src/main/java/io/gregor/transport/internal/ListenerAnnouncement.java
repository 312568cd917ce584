package io.gregor.transport.internal;

import java.util.List;
import org.apache.kafka.common.Endpoint;

/** Tells the node and the cluster where a role listens. Shared: any thread. */
public interface ListenerAnnouncement {
    /** Shows these listeners to the other parts of the node, instead of the former ones. */
    void show(BoundPorts ports);

    /**
     * Has the cluster know these addresses instead; waits for it. Nothing is to be done before the node is registered.
     *
     * @throws org.apache.kafka.common.KafkaException with the reason, if they are refused or that takes too long; the former
     *     addresses count then
     */
    void register(List<Endpoint> advertised, List<Endpoint> former);
}
