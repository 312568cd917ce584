package io.gregor.transport.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import io.gregor.transport.internal.ListenerPlan.Held;
import io.gregor.transport.internal.ListenerPlan.Place;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * The listeners of a role, live: which there are, where, with which protocol, what clients are told, and what of the security
 * settings is a listener's own. Immutable; called on the reconfiguration thread.
 */
final class ListenerChanges implements LiveSettings {
    private static final Set<String> KEYS = Set.of(
            SocketServerConfigs.LISTENERS_CONFIG,
            SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG,
            SocketServerConfigs.LISTENER_SECURITY_PROTOCOL_MAP_CONFIG,
            BrokerSecurityConfigs.CONNECTIONS_MAX_REAUTH_MS_CONFIG,
            GregorConfigs.LISTENER_DRAIN_ON_CHANGE_CONFIG);

    private final RoleDoors doors;
    private final RoleTransport transport;

    /** The listeners behind these doors. */
    ListenerChanges(RoleDoors doors, RoleTransport transport) {
        this.doors = doors;
        this.transport = transport;
    }

    @Override
    public boolean owns(String key) {
        boolean isNameOfController =
                doors.role() == Role.CONTROLLER && key.equals(KRaftConfigs.CONTROLLER_LISTENER_NAMES_CONFIG);
        return KEYS.contains(key)
                || isNameOfController
                || ListenerKey.of(key)
                        .filter(own -> isForConnections(own.setting()) && doors.hasOwn(own))
                        .isPresent();
    }

    /** Layers and authenticators are made anew of it: key stores and keytabs are read again. */
    @Override
    public boolean isReadAgain(String key) {
        return ListenerKey.of(key)
                .filter(own -> isForConnections(own.setting()))
                .isPresent();
    }

    /** What channel layers and authenticators are told: Kafka's security settings, and whatever a plugin may know. */
    private static boolean isForConnections(String setting) {
        return setting.startsWith("ssl.")
                || setting.startsWith("sasl.")
                || setting.equals(BrokerSecurityConfigs.PRINCIPAL_BUILDER_CLASS_CONFIG)
                || setting.equals(BrokerSecurityConfigs.CONNECTIONS_MAX_REAUTH_MS_CONFIG)
                || !AbstractKafkaConfig.CONFIG_DEF.names().contains(setting);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        NodeConfig after = change.after();
        FixedListeners.check(doors.role(), change.before(), after);
        ListenerPlan plan = ListenerPlan.of(
                doors.live().stream()
                        .map(listener -> new Held(
                                listener.setup().configured(),
                                listener.setup().acceptor().port().address()))
                        .toList(),
                after.listeners(doors.role()));
        PreparedListeners prepared = new PreparedListeners(doors, transport, after, plan);
        try {
            for (Place place : plan.places()) {
                prepare(prepared, place, change);
            }
        } catch (RuntimeException refused) {
            prepared.undo();
            throw refused;
        }
        return prepared;
    }

    private void prepare(PreparedListeners prepared, Place place, ConfigChange change) {
        Endpoint endpoint = place.endpoint();
        Acceptor acceptor = place.socketOf().map(prepared::acceptorOf).orElseGet(() -> bind(prepared, endpoint));
        ListenerSettings settings = ListenerSettings.of(endpoint, change.after().values());
        prepared.existing(endpoint.listener())
                .ifPresentOrElse(
                        existing -> prepareChanged(
                                prepared, existing, new Listener.Setup(endpoint, settings, null, acceptor), change),
                        () -> prepareNew(prepared, new Listener.Setup(endpoint, settings, null, acceptor)));
    }

    private void prepareNew(PreparedListeners prepared, Listener.Setup setup) {
        ListenerChannels channels = channels(setup);
        int networkThreads = setup.settings().networkThreads();
        prepared.add(setup.with(channels), doors.isOpen() ? processors(setup, channels, networkThreads) : List.of());
    }

    /** The number of processors is changed by another part. */
    private void prepareChanged(
            PreparedListeners prepared, Listener existing, Listener.Setup setup, ConfigChange change) {
        Listener.Setup before = existing.setup();
        boolean isOtherProtocol =
                before.configured().securityProtocol() != setup.configured().securityProtocol();
        boolean isSame = !isOtherProtocol && change.keys().stream().noneMatch(key -> isTold(setup.configured(), key));
        int networkThreads = before.settings().networkThreads();
        ListenerSettings kept = (isSame ? before.settings() : setup.settings()).withNetworkThreads(networkThreads);
        ListenerChannels channels = isSame ? null : channels(setup);
        boolean isDrained = doors.isOpen()
                && setup.settings().isDrainedOnChange()
                && (isOtherProtocol || change.keys().stream().anyMatch(key -> isSecurityOf(setup.configured(), key)));
        prepared.change(
                existing,
                new Listener.Setup(setup.configured(), kept, channels, setup.acceptor()),
                channels != null && isDrained ? processors(setup, channels, networkThreads) : List.of());
    }

    private List<Processor> processors(Listener.Setup setup, ListenerChannels channels, int count) {
        try {
            return doors.binding().processors(count, channels);
        } catch (IOException e) {
            channels.giveUp();
            throw new ConfigException(ServerPort.configured(setup.configured())
                    + " cannot be opened: no selector for a processor: " + e.getMessage());
        }
    }

    private Acceptor bind(PreparedListeners prepared, Endpoint endpoint) {
        try {
            Acceptor acceptor = Acceptor.bind(transport, endpoint, prepared.leavingPorts());
            prepared.bound(acceptor);
            return acceptor;
        } catch (CannotBindException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    private ListenerChannels channels(Listener.Setup setup) {
        ListenerBinding binding = doors.binding();
        Endpoint configured = setup.configured();
        try {
            return binding.channels(configured, setup.settings())
                    .orElseThrow(() -> new ConfigException(binding.missing(configured, setup.settings())));
        } catch (ConfigException e) {
            throw e;
        } catch (KafkaException e) {
            throw new ConfigException(ServerPort.configured(configured) + " cannot be set up for "
                    + configured.securityProtocol() + ": " + e.getMessage());
        }
    }

    /** Whether what new connections of a listener get is another thing with this key. */
    private static boolean isTold(Endpoint endpoint, String key) {
        return key.equals(BrokerSecurityConfigs.CONNECTIONS_MAX_REAUTH_MS_CONFIG)
                || ofListener(endpoint, key, Set.of(GregorConfigs.LISTENER_DRAIN_ON_CHANGE_CONFIG));
    }

    /** Whether connections that are there would have been let in otherwise with this key. */
    private static boolean isSecurityOf(Endpoint endpoint, String key) {
        return ofListener(
                endpoint,
                key,
                Set.of(
                        GregorConfigs.LISTENER_DRAIN_ON_CHANGE_CONFIG,
                        BrokerSecurityConfigs.CONNECTIONS_MAX_REAUTH_MS_CONFIG));
    }

    private static boolean ofListener(Endpoint endpoint, String key, Set<String> others) {
        return ListenerKey.of(key)
                .filter(own -> own.listener().value().equals(endpoint.listener())
                        && isForConnections(own.setting())
                        && !others.contains(own.setting()))
                .isPresent();
    }
}
