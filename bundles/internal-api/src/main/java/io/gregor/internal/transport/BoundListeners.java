package io.gregor.internal.transport;

import java.util.List;
import org.apache.kafka.common.Endpoint;

/**
 * The listeners of one role that are bound, with their real ports. A service with the property {@code role}, there as soon
 * as every port is bound; requests are taken later. Immutable: after a change a new service replaces it.
 */
public interface BoundListeners {
    /** Name, protocol, host as configured and real port of each. */
    List<Endpoint> bound();

    /** What clients are told: the configured advertised addresses, with the bound port where 0 was configured. */
    List<Endpoint> advertised();
}
