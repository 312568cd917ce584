package io.gregor.transport.internal;

import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.dispatch.VersionsAnswers;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.request.FrameIntake;
import io.gregor.internal.transport.ConnectionControl;
import io.gregor.internal.transport.TransportView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
public final class RoleDoors {
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
    private final NodeFaults faults;
    private final RoleTransport transport;
    private final SecurityServices security;
    private final ListenerAnnouncement announcement;
    private final Object lock = new Object();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);
    private volatile NodeConfig config;
    private volatile @Nullable ListenerBinding binding;
    private volatile List<Listener> listeners = List.of();
    private volatile BoundPorts shown = new BoundPorts(List.of(), List.of());

    /** The doors of a role, nothing bound yet. */
    public RoleDoors(
            Role role,
            NodeConfig config,
            NodeFaults faults,
            Metrics metrics,
            SecurityServices security,
            ListenerAnnouncement announcement) {
        this.role = role;
        this.config = config;
        this.faults = faults;
        this.security = security;
        this.announcement = announcement;
        this.transport = new RoleTransport(role, config, faults, metrics);
    }

    /** What of it can be changed while it runs. */
    public LiveSettings settings() {
        return new RoleSettings(List.of(
                new ListenerChanges(this, transport),
                new ProcessorCounts(this),
                new SocketSettings(transport, this::ports),
                new LimitSettings(this, transport)));
    }

    /** Where frames go; filled and emptied as dispatch comes and goes. */
    public ServiceSlot<FrameIntake> intake() {
        return transport.intake();
    }

    /** Who answers ApiVersions before a client is authenticated; filled and emptied as its handler comes and goes. */
    public ServiceSlot<VersionsAnswers> versions() {
        return transport.versions();
    }

    /** Who is told of connections that have ended. */
    public Disconnections disconnections() {
        return transport.disconnections();
    }

    /** Binds the ports of all listeners, and shows them; if one cannot be bound, false, and the start is refused. */
    public boolean bind() {
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
            return false;
        }
        listeners = List.copyOf(bound);
        if (!phase.compareAndSet(Phase.NEW, Phase.BOUND)) {
            bound.forEach(Listener::stopAccepting);
            return false;
        }
        shown = BoundPorts.of(bound.stream().map(Listener::endpoint).toList(), config.advertisedListeners(role));
        announcement.show(shown);
        return true;
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
                    refuse(making.missing(configured, listener.setup().settings()));
                }
            });
        } catch (KafkaException e) {
            refuse(ServerPort.configured(configured) + " cannot be set up for " + configured.securityProtocol() + ": "
                    + e.getMessage());
        }
    }

    /**
     * Other services may be there: new connections get what is made with them, those that are there keep what they have. A
     * listener whose services have left goes on with what they made.
     */
    public void renew() {
        ListenerBinding making = binding;
        if (making != null) {
            live().forEach(listener -> RenewedListener.of(listener, making));
        }
    }

    /** Starts the threads of all listeners if they are prepared; again has no effect. */
    public void open() {
        if (listeners.stream().anyMatch(listener -> listener.setup().channels() == null)
                || !phase.compareAndSet(Phase.BOUND, Phase.OPENING)) {
            return;
        }
        listeners.forEach(this::open); // one that comes from now on is opened by whoever adds it
        if (!phase.compareAndSet(Phase.OPENING, Phase.OPEN)) {
            closeListeners();
        }
    }

    /** What is seen of it from outside. */
    public TransportView view() {
        return new RoleView(transport, () -> listeners);
    }

    /** How many listeners and connections live on a bundle. */
    public long inUse(long bundleId) {
        return transport.securityBundles().inUse(bundleId);
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

    /** Whose doors they are. */
    Role role() {
        return role;
    }

    /** The listeners that are configured now. */
    List<Listener> live() {
        return listeners.stream().filter(Listener::isLive).toList();
    }

    /** Makes listeners; once the first are bound. */
    ListenerBinding binding() {
        return Objects.requireNonNull(binding, "no port is bound yet");
    }

    /** Whether clients are taken. */
    boolean isOpen() {
        return phase.get() == Phase.OPEN;
    }

    /** Whether a listener's own key is one of this role. */
    boolean hasOwn(ListenerKey key) {
        return key.isOf(role, config);
    }

    /**
     * Tells cluster and node of other addresses; waits until the cluster knows.
     *
     * @throws KafkaException if the cluster does not take them; nothing has changed then
     */
    void announce(BoundPorts next) {
        refuseIfClosed();
        if (!next.advertised().equals(shown.advertised())) {
            announcement.register(next.advertised(), shown.advertised());
            refuseIfClosed();
        }
        if (!next.equals(shown)) {
            shown = next;
            announcement.show(next);
        }
    }

    private void refuseIfClosed() {
        if (phase.get() == Phase.CLOSED) {
            throw new KafkaException("the listeners are closed, the node stops: role=" + role.property());
        }
    }

    /** From now on it is these listeners, beside those that are drained. */
    void replace(List<Listener> next, NodeConfig nextConfig) {
        config = nextConfig;
        synchronized (lock) {
            List<Listener> all = new ArrayList<>(next);
            listeners.stream().filter(listener -> !next.contains(listener)).forEach(all::add);
            listeners = List.copyOf(all);
        }
    }

    /** Opens a listener that has come, if the doors are open. */
    void openNew(Listener listener, List<Processor> made) {
        Phase now = phase.get();
        boolean isDone = now == Phase.OPEN && !made.isEmpty() && listener.open(listener.setup(), made);
        if (!isDone && (now == Phase.OPENING || now == Phase.OPEN)) {
            open(listener);
        } else if (now == Phase.CLOSED) {
            listener.stopAccepting();
            listener.giveUpChannels();
        }
    }

    /** A listener is drained. */
    void forget(Listener listener) {
        synchronized (lock) {
            listeners =
                    listeners.stream().filter(other -> !other.equals(listener)).toList();
        }
    }

    private void open(Listener listener) {
        try {
            listener.open();
        } catch (IOException e) {
            faults.fatal("transport").handleFault("threads of a listener cannot be started: role=" + role, e);
        }
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
        listeners.forEach(Listener::giveUpChannels);
        listeners.forEach(Listener::forget);
        transport.close();
    }
}
