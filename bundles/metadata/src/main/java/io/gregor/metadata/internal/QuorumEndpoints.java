package io.gregor.metadata.internal;

import io.gregor.internal.transport.BoundListeners;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.metadata.ListenerInfo;
import org.apache.kafka.raft.Endpoints;

/** Says where other nodes of the quorum reach this one. Immutable. */
public final class QuorumEndpoints {
    private QuorumEndpoints() {}

    /**
     * The advertised addresses of the controller's listeners, the host's own name instead of a wildcard.
     *
     * @throws UnknownHostException if the host's own name is not known
     */
    public static Endpoints of(BoundListeners listeners) throws UnknownHostException {
        Map<ListenerName, InetSocketAddress> addresses = new LinkedHashMap<>();
        ListenerInfo.create(listeners.advertised())
                .withWildcardHostnamesResolved()
                .listeners()
                .forEach((name, endpoint) -> addresses.put(
                        ListenerName.normalised(name),
                        InetSocketAddress.createUnresolved(endpoint.host(), endpoint.port())));
        return Endpoints.fromInetSocketAddresses(addresses);
    }
}
