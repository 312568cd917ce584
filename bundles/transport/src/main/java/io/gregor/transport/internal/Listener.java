package io.gregor.transport.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.Endpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listener of the role: its acceptor, its processors. Shared: any thread; a lock orders opening, changing and closing, and
 * is held only while threads are told.
 *
 * <pre>
 *                                                   ┌──drain──▶ DRAINING ──────┐
 *                                                   │                          ▼
 *  BOUND (clients wait in the backlog) ──open──▶ OPEN ──stopAccepting, closeDoors──▶ CLOSED
 *    └─────────────────────────────stopAccepting, drain─────────────────────────────────▲
 * </pre>
 */
public final class Listener {
    private static final Logger LOGGER = LoggerFactory.getLogger(Listener.class);

    /** How long processors may take that retire, before it is drained all the same. */
    private static final long SETTLE_WITHIN_MS = 5_000;

    /** How far it has come. */
    private enum State {
        BOUND,
        OPEN,
        DRAINING,
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

        Setup with(@Nullable ListenerChannels next) {
            return new Setup(configured, settings, next, acceptor);
        }
    }

    private final RoleTransport role;
    private final ListenerShare share;
    private final ListenerBinding binding;
    private final ListenerProcessors processors;
    private final AtomicBoolean forgotten = new AtomicBoolean();
    private final Object lock = new Object();
    private volatile Setup setup;
    private volatile State state = State.BOUND;

    /** A listener whose port is bound. */
    Listener(RoleTransport role, Setup setup, ListenerShare share, ListenerBinding binding) {
        this.role = role;
        this.setup = setup;
        this.share = share;
        this.binding = binding;
        this.processors = new ListenerProcessors(role);
    }

    /** Its name; stays. */
    String name() {
        return setup.configured().listener();
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

    /** Whether it is one of the listeners that are configured; not if its last requests are answered. */
    boolean isLive() {
        return state == State.BOUND || state == State.OPEN;
    }

    /** What its connections get; before it is opened. Given up if the listener has something already, or needs no more. */
    void prepare(ListenerChannels channels) {
        synchronized (lock) {
            if (state == State.BOUND && setup.channels() == null) {
                setup = setup.with(channels);
                return;
            }
        }
        channels.giveUp();
    }

    /** Starts the threads of a listener that is prepared: what waits in the backlog is taken. */
    void open() throws IOException {
        boolean done = false;
        while (!done) {
            Setup now = setup;
            done = open(now, makeProcessors(now.settings().networkThreads()));
        }
    }

    /** False if it was changed meanwhile; has no effect if it is open or closed. */
    boolean open(Setup expected, List<Processor> made) {
        synchronized (lock) {
            if (state == State.BOUND && setup.equals(expected)) {
                state = State.OPEN;
                processors.grow(made);
                acceptWith(expected);
                LOGGER.info(
                        "listener open: listener={} protocol={} address={} processors={}",
                        name(),
                        expected.configured().securityProtocol(),
                        expected.acceptor().port().address(),
                        made.size());
                return true;
            }
        }
        made.forEach(Processor::discard);
        return state != State.BOUND;
    }

    /** As many processors as that, not started. */
    List<Processor> makeProcessors(int count) throws IOException {
        return binding.processors(count, prepared(setup));
    }

    private static ListenerChannels prepared(Setup setup) {
        return Objects.requireNonNull(setup.channels(), "the listener is not prepared");
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
            int now = processors.count();
            if (state != State.OPEN || now == count) {
                made.forEach(Processor::discard);
                return CompletableFuture.completedFuture(0);
            }
            LOGGER.info(
                    "processors change: listener={} processors={} before={}",
                    endpoint().listener(),
                    count,
                    now);
            made.forEach(processor -> processor.channels(prepared(setup)));
            return count < now ? processors.shrink(count) : CompletableFuture.completedFuture(processors.grow(made));
        }
    }

    /**
     * Changes what it is made of, but the number of processors; connections that are there stay as they are. Without
     * channels new connections get what they got before.
     */
    void become(Setup next) {
        ListenerChannels former;
        synchronized (lock) {
            former = next.channels() == null ? null : setup.channels();
            setup = next.channels() == null ? next.with(setup.channels()) : next;
            if (state == State.OPEN) {
                ListenerChannels channels = prepared(setup);
                processors.all().forEach(processor -> processor.channels(channels));
                acceptWith(setup);
            }
        }
        if (former != null) {
            former.giveUp();
        }
    }

    /**
     * Others take the place of its processors, which drain: connections that were let in before end when everything that has come
     * is answered.
     *
     * @return ends with the figures, when all of them are closed
     */
    CompletableFuture<String> replaceProcessors(List<Processor> made, long timeoutMs) {
        synchronized (lock) {
            if (state == State.OPEN) {
                LOGGER.info("connections of a changed listener drain: listener={} timeoutMs={}", name(), timeoutMs);
                long deadlineNs = role.time().nanoseconds() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
                return processors
                        .replace(made, new Drain(deadlineNs))
                        .whenComplete((figures, fault) -> LOGGER.info(
                                "connections of a changed listener are drained: listener={} {}", name(), figures));
            }
        }
        made.forEach(Processor::discard);
        return CompletableFuture.completedFuture("");
    }

    /** New connections get something else, those that are there stay as they are. False if the listener has changed since. */
    boolean renew(Setup expected, ListenerChannels channels) {
        ListenerChannels former;
        synchronized (lock) {
            if (!setup.equals(expected) || !isLive()) {
                return false;
            }
            former = setup.channels();
            setup = setup.with(channels);
            processors.all().forEach(processor -> processor.channels(channels));
        }
        if (former != null) {
            former.giveUp();
        }
        return true;
    }

    /** Takes what waits at a socket that is given up, as if it had come to its own. */
    void adopt(Acceptor acceptor) {
        synchronized (lock) {
            if (state == State.OPEN) {
                acceptor.open(target(setup));
            }
        }
        acceptor.finish();
    }

    /**
     * Ends the listener, for which nobody accepts any more: what has come is answered, and each connection is let go.
     * Reconfiguration thread; waits for processors that retire.
     *
     * @return ends with the figures, when all connections are closed
     */
    CompletableFuture<String> drain(long timeoutMs) {
        synchronized (lock) {
            if (state != State.OPEN) {
                state = State.CLOSED;
                giveUpChannels();
                forget();
                return CompletableFuture.completedFuture(new Drain(0).figures());
            }
            state = State.DRAINING;
        }
        forget();
        LOGGER.info("listener drains: listener={} timeoutMs={}", name(), timeoutMs);
        long nowNs = role.time().nanoseconds();
        processors.awaitRetired(nowNs + TimeUnit.MILLISECONDS.toNanos(SETTLE_WITHIN_MS));
        return processors
                .drain(new Drain(nowNs + TimeUnit.MILLISECONDS.toNanos(timeoutMs)))
                .whenComplete((figures, fault) -> {
                    state = State.CLOSED;
                    giveUpChannels();
                    LOGGER.info("listener closed: listener={} {}", name(), figures);
                });
    }

    @GuardedBy("lock")
    private void acceptWith(Setup now) {
        now.acceptor().open(target(now));
    }

    private AcceptTarget target(Setup now) {
        return new AcceptTarget(
                now.configured().listener(), now.configured().securityProtocol(), share, processors.rotation());
    }

    /** Has the processors look again at connections that wait for dispatch. */
    public void poke() {
        processors.all().forEach(Processor::poke);
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
        processors.all().forEach(processor -> processor.closeDoors(TimeUnit.MILLISECONDS.toNanos(withinMs)));
    }

    /** Waits for the threads to end, until a time of the role's clock; false if one does not. */
    public boolean awaitEnd(long deadlineNs) throws InterruptedException {
        boolean ended = setup.acceptor().awaitEnd(role.untilMs(deadlineNs));
        return processors.awaitEnd(deadlineNs) && ended;
    }

    /** What its connections get is given up: it makes no more of them. Again has no effect. May wait. */
    void giveUpChannels() {
        ListenerChannels last = setup.channels();
        if (last != null) {
            last.giveUp();
        }
    }

    /** Its place among the listeners and its metrics are given up; again has no effect. */
    void forget() {
        if (forgotten.compareAndSet(false, true)) {
            share.close();
        }
    }

    /** Its processors. */
    ListenerProcessors processors() {
        return processors;
    }

    /** How many connections it has, those included that are about to be opened. */
    int connectionCount() {
        return share.count();
    }

    /** How far it has come, in a word. */
    String stateWord() {
        return state.word;
    }
}
