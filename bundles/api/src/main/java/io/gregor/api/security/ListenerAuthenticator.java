package io.gregor.api.security;

import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.TransportLayer;
import org.osgi.annotation.versioning.ConsumerType;

/** Authenticates the connections of one listener. Shared by the processor threads of the listener. */
@ConsumerType
public interface ListenerAuthenticator {
    /**
     * Starts with one connection, also when a client that is there already authenticates again (KIP-368).
     *
     * <p>Called on a processor thread; must not block.
     *
     * @param layer the connection's channel layer
     * @param connection the connection
     * @return the authentication state of this connection, owned by its processor; once
     *     {@link Authenticator#complete} it knows the principal
     */
    Authenticator open(TransportLayer layer, SecuredConnection connection);

    /**
     * Gives back what it has for its listener. Called once, on any thread, when no new connection gets it any more and the
     * last one that had got it is closed.
     */
    default void close() {}
}
