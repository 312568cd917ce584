package io.gregor.transport.internal;

import io.gregor.api.security.ListenerSecurity;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.transport.TransportView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All listeners of a role, and whether they are open. Shared: any thread; each step is taken by the one thread that moves
 * the phase.
 *
 * <pre>
 *  NEW ──bind──▶ BOUND ──open──▶ OPENING ──▶ OPEN
 *   │              │                │          │
 *   └──────────────┴─────close──────┴──────────┴──▶ CLOSED
 * </pre>
 */
public final class RoleDoors implements TransportView {
    private static final Logger LOGGER = LoggerFactory.getLogger(RoleDoors.class);
    private static final long ANSWER_WITHIN_MS = 1_000;
    private static final long END_WITHIN_MS = 2_000;

    private enum Phase {
        NEW,
        BOUND,
        OPENING,
        OPEN,
        CLOSED
    }

    private final Role role;
    private final NodeConfig config;
    private final NodeFaults faults;
    private final RoleTransport transport;
    private final SecurityServices security;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);
    private volatile List<Listener> listeners = List.of();
    private volatile @Nullable List<ListenerChannels> channels;

    /** The doors of a role, nothing bound yet. */
    public RoleDoors(Role role, NodeConfig config, NodeFaults faults, SecurityServices security) {
        this.role = role;
        this.config = config;
        this.faults = faults;
        this.security = security;
        this.transport = new RoleTransport(
                TransportSettings.of(config.values()),
                Time.SYSTEM,
                new RequestMemory(config.values().queuedMaxBytes()),
                faults.fatal("transport"));
    }

    /** What of it can be changed while it runs. */
    public LiveSettings settings() {
        return new RoleSettings(List.of(new SocketSettings(transport, this::ports)));
    }

    /** Where frames go; filled and emptied as dispatch comes and goes. */
    public IntakeSlot intake() {
        return transport.intake();
    }

    /** Binds the ports of all listeners; empty if one cannot be bound, and then the start is refused. */
    public Optional<BoundPorts> bind() {
        List<Listener> bound = new ArrayList<>();
        try {
            ConnectionQuotas quotas = new ConnectionQuotas(QuotaSettings.of(config.values()));
            for (Endpoint endpoint : config.listeners(role)) {
                bound.add(bind(endpoint, quotas));
            }
        } catch (CannotBindException | ConfigException e) {
            bound.forEach(Listener::stopAccepting);
            faults.refuseStart(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
        listeners = List.copyOf(bound);
        if (!phase.compareAndSet(Phase.NEW, Phase.BOUND)) {
            bound.forEach(Listener::stopAccepting);
            return Optional.empty();
        }
        List<Endpoint> endpoints = bound.stream().map(Listener::endpoint).toList();
        return Optional.of(BoundPorts.of(endpoints, config.advertisedListeners(role)));
    }

    /**
     * Prepares layer and authenticator of each listener, if those that are needed are there.
     *
     * @param mustBeThere whether the start is refused if not
     */
    public void prepare(boolean mustBeThere) {
        if (channels != null || phase.get() != Phase.BOUND) {
            return;
        }
        List<ListenerChannels> prepared = new ArrayList<>();
        for (Listener listener : listeners) {
            Endpoint endpoint = listener.endpoint();
            Optional<SecurityServices.Pair> pair = security.of(endpoint.securityProtocol());
            if (pair.isEmpty()) {
                if (mustBeThere) {
                    refuse(ServerPort.configured(endpoint) + " needs the protocol " + endpoint.securityProtocol()
                            + ", but no bundle provides " + security.missing(endpoint.securityProtocol())
                            + "; install one, or give the listener another protocol in"
                            + " listener.security.protocol.map");
                }
                return;
            }
            try {
                prepared.add(channels(listener, pair.get()));
            } catch (KafkaException e) {
                refuse(ServerPort.configured(endpoint) + " cannot be set up for " + endpoint.securityProtocol() + ": "
                        + e.getMessage());
                return;
            }
        }
        channels = List.copyOf(prepared);
    }

    /** Starts the threads of all listeners if they are prepared; again has no effect. */
    public void open() {
        List<ListenerChannels> prepared = channels;
        if (prepared == null || !phase.compareAndSet(Phase.BOUND, Phase.OPENING)) {
            return;
        }
        AtomicInteger processorIds = new AtomicInteger();
        try {
            for (int index = 0; index < prepared.size(); index++) {
                Listener listener = listeners.get(index);
                listener.open(prepared.get(index), processorIds::getAndIncrement);
            }
        } catch (IOException e) {
            faults.fatal("transport").handleFault("threads of the listeners cannot be started: role=" + role, e);
        }
        if (!phase.compareAndSet(Phase.OPENING, Phase.OPEN)) {
            closeListeners();
        }
    }

    /** Has connections go on that wait for dispatch. */
    public void poke() {
        listeners.forEach(Listener::poke);
    }

    /** Closes the ports at once, each connection when its request is answered, all of them within a time; waits for it. */
    public void close() {
        Phase before = phase.getAndSet(Phase.CLOSED);
        if (before == Phase.BOUND || before == Phase.OPEN) {
            closeListeners(); // who is opening them sees the phase, and closes them itself
        }
    }

    @Override
    public List<ListenerRow> listeners() {
        return listeners.stream().map(Listener::row).toList();
    }

    @Override
    public List<ProcessorRow> processors() {
        return listeners.stream()
                .flatMap(listener -> listener.processorRows().stream())
                .toList();
    }

    @Override
    public List<ConnectionRow> connections() {
        return listeners.stream()
                .flatMap(listener -> listener.connectionRows().stream())
                .toList();
    }

    private Listener bind(Endpoint endpoint, ConnectionQuotas quotas) {
        ListenerSettings settings = ListenerSettings.of(endpoint, config.values());
        Acceptor acceptor = Acceptor.bind(transport, endpoint);
        return new Listener(
                transport,
                endpoint,
                acceptor,
                settings,
                quotas.addListener(settings.maxConnections(), isInterBroker(endpoint)));
    }

    private ListenerChannels channels(Listener listener, SecurityServices.Pair pair) {
        Endpoint endpoint = listener.endpoint();
        ListenerSecurity told = listener.settings().security();
        return new ListenerChannels(
                told,
                role == Role.CONTROLLER || isInterBroker(endpoint),
                pair.layers().forListener(told),
                pair.authenticators().forListener(told));
    }

    private boolean isInterBroker(Endpoint endpoint) {
        return ListenerName.normalised(endpoint.listener()).equals(config.interBrokerListener());
    }

    private List<ServerPort> ports() {
        return listeners.stream().map(Listener::port).toList();
    }

    private void refuse(String message) {
        close();
        faults.refuseStart(message);
    }

    private void closeListeners() {
        listeners.forEach(Listener::stopAccepting);
        listeners.forEach(listener -> listener.closeDoors(ANSWER_WITHIN_MS));
        long deadlineNs = transport.time().nanoseconds() + TimeUnit.MILLISECONDS.toNanos(END_WITHIN_MS);
        try {
            for (Listener listener : listeners) {
                if (!listener.awaitEnd(deadlineNs)) {
                    LOGGER.warn(
                            "threads of a listener do not end: listener={} waitedMs={}",
                            listener.endpoint().listener(),
                            END_WITHIN_MS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
