package io.gregor.transport.internal;

import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.transport.ConnectionControl;
import io.gregor.internal.transport.TransportView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.Metrics;
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
    private volatile @Nullable ListenerBinding binding;
    private volatile List<Listener> listeners = List.of();

    /** The doors of a role, nothing bound yet. */
    public RoleDoors(Role role, NodeConfig config, NodeFaults faults, Metrics metrics, SecurityServices security) {
        this.role = role;
        this.config = config;
        this.faults = faults;
        this.security = security;
        this.transport = new RoleTransport(role, config, faults, metrics);
    }

    /** What of it can be changed while it runs. */
    public LiveSettings settings() {
        return new RoleSettings(List.of(
                new ProcessorCounts(this),
                new SocketSettings(transport, this::ports),
                new LimitSettings(this, transport)));
    }

    /** Where frames go; filled and emptied as dispatch comes and goes. */
    public IntakeSlot intake() {
        return transport.intake();
    }

    /** Binds the ports of all listeners; empty if one cannot be bound, and then the start is refused. */
    public Optional<BoundPorts> bind() {
        List<Listener> bound = new ArrayList<>();
        try {
            transport
                    .quotas()
                    .limits(QuotaSettings.of(config.values()), listener -> QuotaSettings.of(listener, config.values()));
            ListenerBinding making = new ListenerBinding(role, config, transport, security);
            for (Endpoint endpoint : config.listeners(role)) {
                bound.add(making.bind(endpoint, config));
            }
            binding = making;
        } catch (CannotBindException | ConfigException e) {
            bound.forEach(Listener::stopAccepting);
            bound.forEach(Listener::forget);
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
        ListenerBinding making = binding;
        if (making == null || phase.get() != Phase.BOUND) {
            return;
        }
        for (Listener listener : listeners) {
            if (listener.setup().channels() == null) {
                prepare(listener, making, mustBeThere);
            }
        }
    }

    private void prepare(Listener listener, ListenerBinding making, boolean mustBeThere) {
        Endpoint configured = listener.setup().configured();
        try {
            making.channels(configured, listener.setup().settings()).ifPresentOrElse(listener::prepare, () -> {
                if (mustBeThere) {
                    refuse(making.missing(configured));
                }
            });
        } catch (KafkaException e) {
            refuse(ServerPort.configured(configured) + " cannot be set up for " + configured.securityProtocol() + ": "
                    + e.getMessage());
        }
    }

    /** Starts the threads of all listeners if they are prepared; again has no effect. */
    public void open() {
        List<Listener> now = listeners;
        if (now.stream().anyMatch(listener -> listener.setup().channels() == null)
                || !phase.compareAndSet(Phase.BOUND, Phase.OPENING)) {
            return;
        }
        try {
            for (Listener listener : now) {
                listener.open();
            }
        } catch (IOException e) {
            faults.fatal("transport").handleFault("threads of the listeners cannot be started: role=" + role, e);
        }
        if (!phase.compareAndSet(Phase.OPENING, Phase.OPEN)) {
            closeListeners();
        }
    }

    /** Ends single connections. */
    public ConnectionControl control() {
        return transport.processors();
    }

    /** From now on addresses may connect this often. */
    public void addressRates(AddressRates rates) {
        transport.rates().ofAddresses(rates);
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
        } else if (before == Phase.NEW) {
            transport.close();
        }
    }

    @Override
    public double networkIdleRatio() {
        return transport.metrics().idleRatio();
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

    /** The listeners there are. */
    List<Listener> all() {
        return listeners;
    }

    /** Whether a listener's own key is one of this role. */
    boolean hasOwn(ListenerKey key) {
        return key.isOf(role, config);
    }

    private List<ServerPort> ports() {
        return listeners.stream()
                .map(listener -> listener.setup().acceptor().port())
                .toList();
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
        listeners.forEach(Listener::forget);
        transport.close();
    }
}
