package io.gregor.transport.internal;

import io.gregor.api.security.ListenerSecurity;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ListenerName;

/** Makes the listeners of a role: binds their ports, prepares what their connections get. Shared: any thread. */
final class ListenerBinding {
    private final Role role;
    private final ListenerName interBroker;
    private final RoleTransport transport;
    private final SecurityServices security;
    private final ConnectionQuotas quotas;
    private final AtomicInteger processorIds = new AtomicInteger();

    /**
     * For the listeners of a role.
     *
     * @throws org.apache.kafka.common.config.ConfigException if the limits of connections cannot be read
     */
    ListenerBinding(Role role, NodeConfig config, RoleTransport transport, SecurityServices security) {
        this.role = role;
        this.interBroker = config.interBrokerListener();
        this.transport = transport;
        this.security = security;
        this.quotas = new ConnectionQuotas(QuotaSettings.of(config.values()));
    }

    /** A listener with its port bound; not prepared yet. */
    Listener bind(Endpoint endpoint, NodeConfig config) {
        ListenerSettings settings = ListenerSettings.of(endpoint, config.values());
        return listener(new Listener.Setup(endpoint, settings, null, Acceptor.bind(transport, endpoint)));
    }

    /** A listener of these parts. */
    Listener listener(Listener.Setup setup) {
        return new Listener(
                transport,
                setup,
                quotas.addListener(setup.settings().maxConnections(), isInterBroker(setup.configured())),
                processorIds::getAndIncrement);
    }

    /**
     * What the connections of a listener get; empty if there is no bundle for its protocol.
     *
     * @throws org.apache.kafka.common.KafkaException if one of its security settings is wrong
     */
    Optional<ListenerChannels> channels(Endpoint configured, ListenerSettings settings) {
        ListenerSecurity told = settings.security();
        boolean isPrivileged = role == Role.CONTROLLER || isInterBroker(configured);
        return security.of(configured.securityProtocol())
                .map(pair -> new ListenerChannels(
                        told,
                        isPrivileged,
                        pair.layers().forListener(told),
                        pair.authenticators().forListener(told)));
    }

    /** What is wrong when {@link #channels} is empty, and the way out. */
    String missing(Endpoint configured) {
        return ServerPort.configured(configured) + " needs the protocol " + configured.securityProtocol()
                + ", but no bundle provides " + security.missing(configured.securityProtocol())
                + "; install one, or give the listener another protocol in listener.security.protocol.map";
    }

    /** Whether it is the listener that other brokers use. */
    boolean isInterBroker(Endpoint endpoint) {
        return ListenerName.normalised(endpoint.listener()).equals(interBroker);
    }
}
