package io.gregor.transport.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.transport.TransportView.ConnectionRow;
import io.gregor.internal.transport.TransportView.ListenerRow;
import io.gregor.internal.transport.TransportView.ProcessorRow;
import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.Endpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listener of the role: its acceptor, its processors. Shared: any thread; a lock orders opening, changing and closing, and
 * is held only while threads are told.
 *
 * <pre>
 *  BOUND (clients wait in the backlog) ──open──▶ OPEN ──stopAccepting, closeDoors──▶ CLOSED
 *    └─────────────────────────────────stopAccepting────────────────────────────────────▲
 * </pre>
 */
public final class Listener {
    private static final Logger LOGGER = LoggerFactory.getLogger(Listener.class);

    /** How far it has come. */
    private enum State {
        BOUND,
        OPEN,
        CLOSED;

        private final String word = name().toLowerCase(Locale.ROOT);
    }

    /**
     * What can be changed of a listener. Immutable.
     *
     * @param configured name, protocol, host and port as configured; the port may be 0
     * @param settings what is configured for it
     * @param channels what its connections get; null until the services for its protocol are there
     * @param acceptor its listening socket
     */
    record Setup(
            Endpoint configured, ListenerSettings settings, @Nullable ListenerChannels channels, Acceptor acceptor) {
        Setup with(ListenerSettings next) {
            return new Setup(configured, next, channels, acceptor);
        }

        Setup with(ListenerChannels next) {
            return new Setup(configured, settings, next, acceptor);
        }
    }

    private final RoleTransport role;
    private final ListenerShare share;
    private final IntSupplier processorIds;
    private final Rotation rotation = new Rotation();
    private final List<Processor> retiring = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private volatile Setup setup;
    private volatile State state = State.BOUND;

    /** A listener whose port is bound. */
    Listener(RoleTransport role, Setup setup, ListenerShare share, IntSupplier processorIds) {
        this.role = role;
        this.setup = setup;
        this.share = share;
        this.processorIds = processorIds;
    }

    /** What it is made of now. */
    Setup setup() {
        return setup;
    }

    /** Name, protocol, host as configured and real port. */
    Endpoint endpoint() {
        Setup now = setup;
        return new Endpoint(
                now.configured().listener(),
                now.configured().securityProtocol(),
                now.configured().host(),
                now.acceptor().port().port());
    }

    /** Whether clients are taken. */
    boolean isOpen() {
        return state == State.OPEN;
    }

    /** How many processors take connections. */
    int processorCount() {
        return rotation.all().size();
    }

    /** What its connections get; before it is opened. */
    void prepare(ListenerChannels channels) {
        synchronized (lock) {
            setup = setup.with(channels);
        }
    }

    /** Starts the threads of a listener that is prepared: what waits in the backlog is taken. */
    void open() throws IOException {
        boolean done = false;
        while (!done) {
            Setup now = setup;
            done = open(now, processors(now.settings().networkThreads()));
        }
    }

    /** False if it was changed meanwhile. */
    private boolean open(Setup expected, List<Processor> made) {
        synchronized (lock) {
            if (state == State.BOUND && setup.equals(expected)) {
                state = State.OPEN;
                rotation.replace(made);
                made.forEach(Processor::start);
                acceptWith(expected);
                LOGGER.info("listener open: {} processors={}", endpoint(), made.size());
                return true;
            }
        }
        made.forEach(Processor::discard);
        return state != State.BOUND;
    }

    /** As many processors as that, not started. */
    List<Processor> processors(int count) throws IOException {
        List<Processor> made = new ArrayList<>();
        ListenerChannels channels = Objects.requireNonNull(setup.channels(), "the listener is not prepared");
        try {
            while (made.size() < count) {
                made.add(new Processor(processorIds.getAsInt(), role, channels));
            }
        } catch (IOException e) {
            made.forEach(Processor::discard);
            throw e;
        }
        return made;
    }

    /**
     * Changes the number of processors: new ones take over their share of the connections, connections of those that go move
     * to those that stay.
     *
     * @param made processors that come; none if some go
     * @return ends with the number of connections that move, once the threads have ended that go
     */
    CompletableFuture<Integer> resize(int count, List<Processor> made) {
        synchronized (lock) {
            setup = setup.with(setup.settings().withNetworkThreads(count));
            int now = processorCount();
            if (state != State.OPEN || now == count) {
                made.forEach(Processor::discard);
                return CompletableFuture.completedFuture(0);
            }
            LOGGER.info(
                    "processors change: listener={} processors={} before={}",
                    endpoint().listener(),
                    count,
                    now);
            return count < now ? shrink(count) : CompletableFuture.completedFuture(grow(made));
        }
    }

    @GuardedBy("lock")
    private int grow(List<Processor> made) {
        List<Processor> before = rotation.all();
        int connections = before.stream().mapToInt(Processor::connectionCount).sum();
        made.forEach(Processor::start);
        rotation.replace(Stream.concat(before.stream(), made.stream()).toList());
        int fairShare = connections / processorCount();
        Rotation targets = new Rotation();
        targets.replace(made);
        int moved = 0;
        for (Processor processor : before) {
            int surplus = processor.connectionCount() - fairShare;
            if (surplus > 0) {
                processor.share(surplus, targets);
                moved += surplus;
            }
        }
        return moved;
    }

    @GuardedBy("lock")
    private CompletableFuture<Integer> shrink(int count) {
        List<Processor> before = rotation.all();
        List<Processor> going = before.subList(count, before.size());
        rotation.replace(before.subList(0, count));
        retiring.addAll(going);
        CompletableFuture<Integer> moved = CompletableFuture.completedFuture(0);
        for (Processor processor : going) {
            CompletableFuture<Integer> end = processor.retire(rotation);
            moved = moved.thenCombine(end, Integer::sum);
        }
        return moved.whenComplete((total, fault) -> retiring.removeAll(going));
    }

    @GuardedBy("lock")
    private void acceptWith(Setup now) {
        now.acceptor()
                .open(new AcceptTarget(
                        now.configured().listener(), now.configured().securityProtocol(), share, rotation));
    }

    /** Has the processors look again at connections that wait for dispatch. */
    public void poke() {
        processors().forEach(Processor::poke);
    }

    /** Closes the port. */
    public void stopAccepting() {
        synchronized (lock) {
            state = State.CLOSED;
        }
        setup.acceptor().close();
    }

    /** Lets requests in hand be answered within a time, and closes each connection after that. */
    public void closeDoors(long withinMs) {
        processors().forEach(processor -> processor.closeDoors(TimeUnit.MILLISECONDS.toNanos(withinMs)));
    }

    /** Waits for the threads to end, until a time of the role's clock; false if one does not. */
    public boolean awaitEnd(long deadlineNs) throws InterruptedException {
        boolean ended = setup.acceptor().awaitEnd(untilMs(deadlineNs));
        for (Processor processor : processors().toList()) {
            ended &= processor.awaitEnd(untilMs(deadlineNs));
        }
        return ended;
    }

    /** It is closed: its place among the listeners and its metrics are given up. Once. */
    void forget() {
        share.close();
    }

    /** What is seen of it from outside. */
    public ListenerRow row() {
        Endpoint endpoint = endpoint();
        return new ListenerRow(
                endpoint.listener(),
                endpoint.securityProtocol().name,
                endpoint.host(),
                endpoint.port(),
                state.word,
                processorCount(),
                share.count());
    }

    /** What is seen of its processors from outside. */
    public List<ProcessorRow> processorRows() {
        return processors().map(Processor::row).toList();
    }

    /** What is seen of its connections from outside. */
    public List<ConnectionRow> connectionRows() {
        return processors()
                .flatMap(processor -> processor.connectionRows().stream())
                .toList();
    }

    /** Those that retire too. */
    private Stream<Processor> processors() {
        return Stream.concat(rotation.all().stream(), retiring.stream());
    }

    /** At least 1: 0 would be for ever. */
    private long untilMs(long deadlineNs) {
        return Math.max(
                1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - role.time().nanoseconds()));
    }
}
