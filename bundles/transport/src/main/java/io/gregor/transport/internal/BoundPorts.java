package io.gregor.transport.internal;

import io.gregor.internal.transport.BoundListeners;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.Endpoint;

/** The bound listeners of a role, and what clients are told of them. Immutable. */
public record BoundPorts(List<Endpoint> bound, List<Endpoint> advertised) implements BoundListeners {
    /** Puts the real port where an advertised address has 0. */
    public static BoundPorts of(List<Endpoint> bound, List<Endpoint> configuredAdvertised) {
        Map<String, Integer> ports = bound.stream().collect(Collectors.toMap(Endpoint::listener, Endpoint::port));
        List<Endpoint> advertised = configuredAdvertised.stream()
                .map(endpoint -> endpoint.port() != 0
                        ? endpoint
                        : new Endpoint(
                                endpoint.listener(),
                                endpoint.securityProtocol(),
                                endpoint.host(),
                                ports.getOrDefault(endpoint.listener(), 0)))
                .toList();
        return new BoundPorts(List.copyOf(bound), advertised);
    }
}
