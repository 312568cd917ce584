package io.gregor.transport.internal;

import io.gregor.internal.request.Hurried;
import io.gregor.internal.transport.ConnectionControl;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The processors of a role whose threads run. Shared: any thread. */
public final class RoleProcessors implements ConnectionControl {
    private final Set<Processor> running = new CopyOnWriteArraySet<>();

    /** A processor starts. */
    void add(Processor processor) {
        running.add(processor);
    }

    /** A processor has ended. */
    void remove(Processor processor) {
        running.remove(processor);
    }

    /** All of them, as they are now. */
    Set<Processor> all() {
        return running;
    }

    /** Their connections, as they are now. */
    Stream<ClientConnection> connections() {
        return running.stream().flatMap(processor -> processor.connections().all().stream());
    }

    /** Has all look at limits and waiting connections again. */
    public void poke() {
        running.forEach(Processor::poke);
    }

    @Override
    public boolean kill(String connectionId) {
        return connections()
                .filter(connection -> connection.id().equals(connectionId))
                .anyMatch(ClientConnection::orderClose);
    }

    @Override
    public void forEachInHand(Consumer<Hurried> look) {
        connections().forEach(connection -> {
            Hurried request = connection.inHand();
            if (request != null) {
                look.accept(request);
            }
        });
    }
}
