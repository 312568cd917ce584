package io.gregor.transport.internal;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ListenerAuthenticator;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import io.gregor.transport.internal.ConnectionQuotas.ListenerLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
    private final AtomicInteger processorIds = new AtomicInteger();

    /** For the listeners of a role. */
    ListenerBinding(Role role, NodeConfig config, RoleTransport transport, SecurityServices security) {
        this.role = role;
        this.interBroker = config.interBrokerListener();
        this.transport = transport;
        this.security = security;
    }

    /** A listener with its port bound; not prepared yet. */
    Listener bind(Endpoint endpoint, NodeConfig config) {
        ListenerSettings settings = ListenerSettings.of(endpoint, config.values());
        ListenerLimits limits = QuotaSettings.of(ListenerName.normalised(endpoint.listener()), config.values());
        Acceptor acceptor = Acceptor.bind(transport, endpoint, List.of());
        return listener(new Listener.Setup(endpoint, settings, null, acceptor), limits);
    }

    /** As many processors as that, not started. */
    List<Processor> processors(int count, ListenerChannels channels) throws IOException {
        List<Processor> made = new ArrayList<>();
        try {
            while (made.size() < count) {
                made.add(new Processor(processorIds.getAndIncrement(), transport, channels));
            }
        } catch (IOException e) {
            made.forEach(Processor::discard);
            throw e;
        }
        return made;
    }

    /** A listener of these parts. */
    Listener listener(Listener.Setup setup, ListenerLimits limits) {
        ListenerName name = ListenerName.normalised(setup.configured().listener());
        return new Listener(
                transport,
                setup,
                transport.quotas().addListener(name, limits, isInterBroker(setup.configured())),
                this);
    }

    /**
     * What the connections of a listener get; empty if there is no bundle for its protocol.
     *
     * @throws org.apache.kafka.common.KafkaException if one of its security settings is wrong
     */
    Optional<ListenerChannels> channels(Endpoint configured, ListenerSettings settings) {
        return parts(configured, settings).map(parts -> channels(configured, settings, parts));
    }

    /** The services that the connections of a listener are made with now; empty if one is missing. */
    Optional<SecurityParts> parts(Endpoint configured, ListenerSettings settings) {
        return security.of(configured.securityProtocol(), settings);
    }

    /** What the connections of a listener get with these services. */
    ListenerChannels channels(Endpoint configured, ListenerSettings settings, SecurityParts parts) {
        ListenerSecurity told = parts.told(settings.security());
        ChannelLayer layer = parts.layers().forListener(told);
        ListenerAuthenticator authenticator;
        try {
            authenticator = parts.authenticators().forListener(told);
        } catch (RuntimeException | LinkageError refused) {
            layer.close();
            throw refused;
        }
        transport.securityBundles().opened(layer);
        transport.securityBundles().opened(authenticator);
        SideThreads aside = transport.sideThreads(told.listener());
        return new ListenerChannels(
                told,
                role == Role.CONTROLLER || isInterBroker(configured),
                new InUse<>(layer, () -> close(layer, layer::close), aside),
                new InUse<>(authenticator, () -> close(authenticator, authenticator::close), aside),
                parts);
    }

    private void close(Object part, Runnable close) {
        try {
            close.run();
        } finally {
            transport.securityBundles().closed(part);
        }
    }

    /** What is wrong when {@link #channels} is empty, and the way out. */
    String missing(Endpoint configured, ListenerSettings settings) {
        String lacks = security.missing(configured.securityProtocol(), settings);
        String listener = ServerPort.configured(configured);
        return settings.channelLayer().isEmpty() && settings.authenticator().isEmpty()
                ? listener + " needs the protocol " + configured.securityProtocol() + ", but no bundle provides "
                        + lacks
                        + "; install one, or give the listener another protocol in listener.security.protocol.map"
                : listener + " needs " + lacks + ", but no bundle provides it; put one into deploy/, or correct "
                        + GregorConfigs.CHANNEL_LAYER_CONFIG + " and " + GregorConfigs.AUTHENTICATOR_CONFIG
                        + " of the listener";
    }

    /** Whether it is the listener that other brokers use. */
    boolean isInterBroker(Endpoint endpoint) {
        return ListenerName.normalised(endpoint.listener()).equals(interBroker);
    }
}
