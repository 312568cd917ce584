package io.gregor.transport.internal;

import io.gregor.internal.transport.TransportView.ConnectionRow;
import io.gregor.internal.transport.TransportView.ListenerRow;
import io.gregor.internal.transport.TransportView.ProcessorRow;
import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.apache.kafka.common.Endpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listener of the role: its acceptor, its processors. Owned by the component that calls {@link #open} and the closing
 * methods, one at a time; shared: any thread may look at the rows.
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

    private final RoleTransport role;
    private final Endpoint endpoint;
    private final ListenerSettings settings;
    private final ListenerShare share;
    private final Rotation rotation = new Rotation();
    private final Acceptor acceptor;
    private volatile State state = State.BOUND;

    /**
     * A listener whose port is bound.
     *
     * @param configured name, protocol and host
     */
    public Listener(
            RoleTransport role,
            Endpoint configured,
            Acceptor acceptor,
            ListenerSettings settings,
            ListenerShare share) {
        this.role = role;
        this.endpoint = new Endpoint(
                configured.listener(),
                configured.securityProtocol(),
                configured.host(),
                acceptor.port().port());
        this.acceptor = acceptor;
        this.settings = settings;
        this.share = share;
    }

    /** Name, protocol, host as configured and real port. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** The socket it listens on. */
    ServerPort port() {
        return acceptor.port();
    }

    /** What is configured for it. */
    public ListenerSettings settings() {
        return settings;
    }

    /** Starts the threads: what waits in the backlog is taken. */
    public void open(ListenerChannels channels, IntSupplier processorIds) throws IOException {
        List<Processor> made = new ArrayList<>();
        for (int count = 0; count < settings.networkThreads(); count++) {
            made.add(new Processor(processorIds.getAsInt(), role, channels));
        }
        rotation.replace(made);
        state = State.OPEN;
        made.forEach(Processor::start);
        acceptor.open(new AcceptTarget(endpoint.listener(), endpoint.securityProtocol(), share, rotation));
        LOGGER.info(
                "listener open: listener={} protocol={} host={} port={} processors={}",
                endpoint.listener(),
                endpoint.securityProtocol(),
                endpoint.host(),
                endpoint.port(),
                made.size());
    }

    /** Has the processors look again at connections that wait for dispatch. */
    public void poke() {
        rotation.all().forEach(Processor::poke);
    }

    /** Closes the port. */
    public void stopAccepting() {
        state = State.CLOSED;
        acceptor.close();
    }

    /** Lets requests in hand be answered within a time, and closes each connection after that. */
    public void closeDoors(long withinMs) {
        rotation.all().forEach(processor -> processor.closeDoors(TimeUnit.MILLISECONDS.toNanos(withinMs)));
    }

    /** Waits for the threads to end, until a time of the role's clock; false if one does not. */
    public boolean awaitEnd(long deadlineNs) throws InterruptedException {
        boolean ended = acceptor.awaitEnd(untilMs(deadlineNs));
        for (Processor processor : rotation.all()) {
            ended &= processor.awaitEnd(untilMs(deadlineNs));
        }
        return ended;
    }

    /** What is seen of it from outside. */
    public ListenerRow row() {
        return new ListenerRow(
                endpoint.listener(),
                endpoint.securityProtocol().name,
                endpoint.host(),
                endpoint.port(),
                state.word,
                rotation.all().size(),
                share.count());
    }

    /** What is seen of its processors from outside. */
    public List<ProcessorRow> processorRows() {
        return rotation.all().stream().map(Processor::row).toList();
    }

    /** What is seen of its connections from outside. */
    public List<ConnectionRow> connectionRows() {
        return rotation.all().stream()
                .flatMap(processor -> processor.connectionRows().stream())
                .toList();
    }

    /** At least 1: 0 would be for ever. */
    private long untilMs(long deadlineNs) {
        return Math.max(
                1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - role.time().nanoseconds()));
    }
}
