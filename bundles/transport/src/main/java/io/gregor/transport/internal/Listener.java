package io.gregor.transport.internal;

import io.gregor.internal.transport.TransportView.ConnectionRow;
import io.gregor.internal.transport.TransportView.ListenerRow;
import io.gregor.internal.transport.TransportView.ProcessorRow;
import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.apache.kafka.common.Endpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listener of the role: its port, its acceptor, its processors. Owned by the component that calls {@link #open} and
 * the closing methods, one at a time; shared: any thread may look at the rows.
 *
 * <pre>
 *  bound (clients wait in the backlog) ──open──▶ open ──stopAccepting, closeDoors──▶ closed
 *    └─────────────────────────────────stopAccepting────────────────────────────────────▲
 * </pre>
 */
public final class Listener {
    private static final Logger LOGGER = LoggerFactory.getLogger(Listener.class);

    private final RoleTransport role;
    private final ServerPort port;
    private final ListenerSettings settings;
    private final ListenerShare share;
    private volatile List<Processor> processors = List.of();
    private volatile @Nullable Acceptor acceptor;

    /** A listener whose port is bound. */
    public Listener(RoleTransport role, ServerPort port, ListenerSettings settings, ListenerShare share) {
        this.role = role;
        this.port = port;
        this.settings = settings;
        this.share = share;
    }

    /** Name, protocol, host as configured and real port. */
    public Endpoint endpoint() {
        return port.endpoint();
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
        Acceptor accepting = new Acceptor(role, port, share, made);
        processors = List.copyOf(made);
        acceptor = accepting;
        made.forEach(Processor::start);
        accepting.start();
        LOGGER.info(
                "listener open: listener={} protocol={} host={} port={} processors={}",
                endpoint().listener(),
                endpoint().securityProtocol(),
                endpoint().host(),
                endpoint().port(),
                made.size());
    }

    /** Has the processors look again at connections that wait for dispatch. */
    public void poke() {
        processors.forEach(Processor::poke);
    }

    /** Closes the port. */
    public void stopAccepting() {
        Acceptor accepting = acceptor;
        if (accepting != null) {
            accepting.close();
        } else {
            discard();
        }
    }

    /** Lets requests in hand be answered within a time, and closes each connection after that. */
    public void closeDoors(long withinMs) {
        processors.forEach(processor -> processor.closeDoors(TimeUnit.MILLISECONDS.toNanos(withinMs)));
    }

    /** Waits for the threads to end, until a time of the role's clock; false if one does not. */
    public boolean awaitEnd(long deadlineNs) throws InterruptedException {
        Acceptor accepting = acceptor;
        boolean ended = accepting == null || accepting.awaitEnd(untilMs(deadlineNs));
        for (Processor processor : processors) {
            ended &= processor.awaitEnd(untilMs(deadlineNs));
        }
        return ended;
    }

    /** What is seen of it from outside. */
    public ListenerRow row() {
        Endpoint endpoint = endpoint();
        return new ListenerRow(
                endpoint.listener(),
                endpoint.securityProtocol().name,
                endpoint.host(),
                endpoint.port(),
                acceptor != null,
                processors.size(),
                share.count());
    }

    /** What is seen of its processors from outside. */
    public List<ProcessorRow> processorRows() {
        return processors.stream().map(Processor::row).toList();
    }

    /** What is seen of its connections from outside. */
    public List<ConnectionRow> connectionRows() {
        return processors.stream()
                .flatMap(processor -> processor.connectionRows().stream())
                .toList();
    }

    /** At least 1: 0 would be for ever. */
    private long untilMs(long deadlineNs) {
        return Math.max(
                1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - role.time().nanoseconds()));
    }

    private void discard() {
        try {
            port.channel().close();
        } catch (IOException e) {
            LOGGER.debug(
                    "closing a port failed: listener={} reason={}", endpoint().listener(), e.toString());
        }
    }
}
