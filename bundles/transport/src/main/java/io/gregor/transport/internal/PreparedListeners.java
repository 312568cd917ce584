package io.gregor.transport.internal;

import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ListenerName;
import org.jspecify.annotations.Nullable;

/**
 * Listeners that are bound and set up, but not switched on. Owned by the reconfiguration thread.
 *
 * <p>Switching on: the cluster learns the new addresses, then the rest of the node does; new listeners accept; those that are
 * no more accept what waits in their backlogs, and drain. Only the first step can fail, and then nothing has changed.
 */
final class PreparedListeners implements PreparedChange {
    /** How long an acceptor may take to deal out whom it has let in. */
    private static final long SETTLE_WITHIN_MS = 5_000;

    private final RoleDoors doors;
    private final RoleTransport transport;
    private final NodeConfig config;
    private final Map<String, Listener> now;
    private final ListenerPlan plan;
    private final List<Acceptor> bound = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /**
     * What is to become of a listener. Immutable.
     *
     * @param existing null if it comes
     * @param setup what it is to be made of; without channels if new connections get what they got before
     * @param made its processors if it comes and is opened at once; those that take the place of others if it stays and its
     *     connections are to end
     */
    private record Change(@Nullable Listener existing, Listener.Setup setup, List<Processor> made) {
        Endpoint endpoint() {
            Endpoint configured = setup.configured();
            return new Endpoint(
                    configured.listener(),
                    configured.securityProtocol(),
                    configured.host(),
                    setup.acceptor().port().port());
        }

        void undo() {
            made.forEach(Processor::discard);
            ListenerChannels channels = setup.channels();
            if (channels != null) {
                channels.giveUp();
            }
        }
    }

    PreparedListeners(RoleDoors doors, RoleTransport transport, NodeConfig config, ListenerPlan plan) {
        this.doors = doors;
        this.transport = transport;
        this.config = config;
        this.now = doors.live().stream()
                .collect(Collectors.toMap(Listener::name, listener -> listener, (a, b) -> a, LinkedHashMap::new));
        this.plan = plan;
    }

    /** The listener of this name that is there. */
    Optional<Listener> existing(String name) {
        return Optional.ofNullable(now.get(name));
    }

    /** The acceptor of a listener that is there. */
    Acceptor acceptorOf(String name) {
        return Objects.requireNonNull(now.get(name), name).setup().acceptor();
    }

    /** Sockets that nobody uses when it is switched on. */
    List<ServerPort> leavingPorts() {
        return plan.leaving().stream().map(name -> acceptorOf(name).port()).toList();
    }

    /** An acceptor was bound for the change. */
    void bound(Acceptor acceptor) {
        bound.add(acceptor);
    }

    /** A listener is changed; if processors are made for it, they take the place of those that it has, which drain. */
    void change(Listener listener, Listener.Setup setup, List<Processor> made) {
        changes.add(new Change(listener, setup, made));
    }

    /** A listener comes, with its processors if the doors are open. */
    void add(Listener.Setup setup, List<Processor> made) {
        changes.add(new Change(null, setup, made));
    }

    @Override
    public CompletableFuture<String> commit() {
        Role role = doors.role();
        try {
            doors.announce(
                    BoundPorts.of(changes.stream().map(Change::endpoint).toList(), config.advertisedListeners(role)));
        } catch (RuntimeException refused) {
            undo();
            throw refused;
        }
        List<Acceptor> leaving = plan.leaving().stream().map(this::acceptorOf).toList();
        List<Listener> removed = plan.removed().stream()
                .map(name -> Objects.requireNonNull(now.get(name), name))
                .toList();
        List<CompletableFuture<String>> draining = switchOn();
        end(leaving, removed);
        draining.addAll(drain(removed));
        return CompletableFuture.allOf(draining.toArray(new CompletableFuture<?>[0]))
                .thenApply(
                        done -> draining.stream().map(CompletableFuture::join).collect(Collectors.joining(" ")));
    }

    private List<CompletableFuture<String>> switchOn() {
        List<CompletableFuture<String>> draining = new ArrayList<>();
        Map<Listener, Change> next = new LinkedHashMap<>();
        for (Change change : changes) {
            Listener existing = change.existing();
            next.put(existing == null ? made(change.setup()) : existing, change);
        }
        doors.replace(List.copyOf(next.keySet()), config);
        next.forEach((listener, change) -> {
            if (change.existing() == null) {
                doors.openNew(listener, change.made());
            } else {
                listener.become(change.setup());
                if (!change.made().isEmpty()) {
                    draining.add(listener.replaceProcessors(
                            change.made(), transport.settings().drainTimeoutMs()));
                }
            }
        });
        doors.renew();
        return draining;
    }

    private Listener made(Listener.Setup setup) {
        ListenerName name = ListenerName.normalised(setup.configured().listener());
        return doors.binding().listener(setup, QuotaSettings.of(name, config.values()));
    }

    /** Sockets that nobody uses are closed when their backlogs are taken; who was let in for a listener arrives there. */
    private void end(List<Acceptor> leaving, List<Listener> removed) {
        leaving.forEach(Acceptor::finish);
        long deadlineNs = transport.time().nanoseconds() + TimeUnit.MILLISECONDS.toNanos(SETTLE_WITHIN_MS);
        try {
            for (Acceptor acceptor : leaving) {
                acceptor.awaitEnd(transport.untilMs(deadlineNs));
            }
            for (Listener listener : removed) {
                listener.setup().acceptor().settle(transport.untilMs(deadlineNs));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        leaving.forEach(Acceptor::close); // has no effect unless one waits for room that does not come
    }

    private List<CompletableFuture<String>> drain(List<Listener> removed) {
        long timeoutMs = transport.settings().drainTimeoutMs();
        return removed.stream()
                .map(listener -> listener.drain(timeoutMs).whenComplete((figures, fault) -> doors.forget(listener)))
                .toList();
    }

    @Override
    public void undo() {
        changes.forEach(Change::undo);
        bound.forEach(this::giveBack);
    }

    /** Clients may wait at a socket whose port is that of a listener: they came for it. */
    private void giveBack(Acceptor acceptor) {
        Optional<Listener> neighbour = now.values().stream()
                .filter(listener -> listener.setup().acceptor().port().port()
                        == acceptor.port().port())
                .findFirst();
        if (neighbour.isPresent()) {
            neighbour.get().adopt(acceptor);
        } else {
            acceptor.close();
        }
    }
}
