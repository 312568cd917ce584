package io.gregor.api.security;

import java.io.IOException;
import java.nio.channels.SelectionKey;
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
     * @param key stands for the connection's registration for the whole of its life; it stays valid while the connection
     *     moves from one selector to another
     * @param connectionId the connection's id, for log lines
     * @return the layer's state of this connection, owned by its processor
     * @throws IOException if the layer cannot be set up; the connection is closed
     */
    TransportLayer open(SelectionKey key, String connectionId) throws IOException;
}
