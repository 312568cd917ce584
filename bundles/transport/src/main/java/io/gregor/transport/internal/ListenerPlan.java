package io.gregor.transport.internal;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Endpoint;

/**
 * Which listener of a changed configuration gets which listening socket: its own if the address is the same, else one that is
 * at the address already, else a new one. So listeners that swap addresses swap sockets. Immutable.
 *
 * @param places the listeners of the changed configuration, in its order
 * @param removed the names of listeners that are no more
 * @param leaving names of the listeners whose sockets nobody uses any more
 */
record ListenerPlan(List<Place> places, List<String> removed, List<String> leaving) {
    /**
     * A listener and its socket. Immutable.
     *
     * @param endpoint as configured
     * @param socketOf the name of the listener whose socket it gets; empty if one has to be bound
     */
    record Place(Endpoint endpoint, Optional<String> socketOf) {}

    /**
     * A listener that is there. Immutable.
     *
     * @param configured its address as configured
     * @param address where its socket is bound, with the real port
     */
    record Held(Endpoint configured, InetSocketAddress address) {
        private boolean isAt(Endpoint next) {
            boolean keepsFreePort = next.port() == 0
                    && configured.port() == 0
                    && next.listener().equals(configured.listener());
            return (keepsFreePort || next.port() == address.getPort()) && ServerPort.isHost(address.getAddress(), next);
        }
    }

    /** Finds a socket for each listener of a configuration. */
    static ListenerPlan of(List<Held> now, List<Endpoint> next) {
        Map<String, Held> free = new LinkedHashMap<>();
        now.forEach(held -> free.put(held.configured().listener(), held));
        Map<String, String> sockets = new LinkedHashMap<>();
        for (Endpoint endpoint : next) {
            Held own = free.get(endpoint.listener());
            if (own != null && own.isAt(endpoint)) {
                sockets.put(endpoint.listener(), endpoint.listener());
                free.remove(endpoint.listener());
            }
        }
        List<Place> places = new ArrayList<>();
        for (Endpoint endpoint : next) {
            Optional<String> socketOf = Optional.ofNullable(sockets.get(endpoint.listener()))
                    .or(() -> free.values().stream()
                            .filter(held -> held.isAt(endpoint))
                            .map(held -> held.configured().listener())
                            .findFirst());
            socketOf.ifPresent(free::remove);
            places.add(new Place(endpoint, socketOf));
        }
        List<String> names = next.stream().map(Endpoint::listener).toList();
        List<String> removed = now.stream()
                .map(held -> held.configured().listener())
                .filter(name -> !names.contains(name))
                .toList();
        return new ListenerPlan(List.copyOf(places), removed, List.copyOf(free.keySet()));
    }
}
