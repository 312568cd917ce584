package io.gregor.api.security;

import java.io.IOException;
import org.apache.kafka.common.network.TransportLayer;
import org.osgi.annotation.versioning.ConsumerType;

/** Opens connections of one listener. Shared by the processor threads of the listener. */
@ConsumerType
public interface ChannelLayer {
    /**
     * Puts the layer onto an accepted socket.
     *
     * <p>Called on a processor thread; must not block.
     *
     * @param connection the connection; its key has the socket
     * @return the layer's state of this connection, owned by its processor
     * @throws IOException if the layer cannot be set up; the connection is closed
     */
    TransportLayer open(SecuredConnection connection) throws IOException;

    /**
     * The listener makes its new connections with another layer from now on; those that are there go on with this one. What a
     * layer does for new connections only, as following files or showing figures, ends here. Called once, before
     * {@link #close}, on any thread; may wait.
     */
    default void retire() {}

    /**
     * Gives back what it has for its listener. Called once, on any thread, when no new connection gets it any more and the
     * last one that had got it is closed.
     */
    default void close() {}
}
