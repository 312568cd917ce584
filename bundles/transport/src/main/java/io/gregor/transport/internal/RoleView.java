package io.gregor.transport.internal;

import io.gregor.internal.transport.TransportView;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.Endpoint;

/** What is seen of a role's listeners from outside: each call takes a snapshot. Shared: any thread. */
final class RoleView implements TransportView {
    private final RoleTransport transport;
    private final Supplier<List<Listener>> listeners;

    /** Looks at the listeners there are just now. */
    RoleView(RoleTransport transport, Supplier<List<Listener>> listeners) {
        this.transport = transport;
        this.listeners = listeners;
    }

    @Override
    public double networkIdleRatio() {
        return transport.metrics().idleRatio();
    }

    @Override
    public List<ListenerRow> listeners() {
        return listeners.get().stream().map(RoleView::row).toList();
    }

    @Override
    public List<ProcessorRow> processors() {
        return all().sorted(Comparator.comparingInt(Processor::id))
                .map(RoleView::row)
                .toList();
    }

    @Override
    public List<ConnectionRow> connections() {
        long nowNs = transport.time().nanoseconds();
        return all().flatMap(processor -> processor.connections().all().stream())
                .map(connection -> connection.row(nowNs))
                .toList();
    }

    private Stream<Processor> all() {
        return listeners.get().stream()
                .flatMap(listener -> listener.processors().all());
    }

    private static ListenerRow row(Listener listener) {
        Endpoint endpoint = listener.endpoint();
        return new ListenerRow(
                endpoint.listener(),
                endpoint.securityProtocol().name,
                endpoint.host(),
                endpoint.port(),
                listener.stateWord(),
                listener.processors().count(),
                listener.connectionCount());
    }

    private static ProcessorRow row(Processor processor) {
        return new ProcessorRow(
                processor.id(),
                processor.listener(),
                processor.threadName(),
                processor.connectionCount(),
                processor.queuedResponses());
    }
}
