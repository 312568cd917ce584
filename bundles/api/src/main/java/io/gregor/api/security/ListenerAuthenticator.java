package io.gregor.api.security;

import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.TransportLayer;
import org.osgi.annotation.versioning.ConsumerType;

/** Authenticates the connections of one listener. Shared by the processor threads of the listener. */
@ConsumerType
public interface ListenerAuthenticator {
    /**
     * Starts with one connection.
     *
     * <p>Called on a processor thread; must not block.
     *
     * @param layer the connection's channel layer
     * @param connectionId the connection's id, for log lines
     * @return the authentication state of this connection, owned by its processor; once
     *     {@link Authenticator#complete} it knows the principal
     */
    Authenticator open(TransportLayer layer, String connectionId);
}
