package io.gregor.transport.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.server.network.ConnectionDisconnectListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who want to know of connections that have ended, as they keep something for them: share sessions, what clients tell of
 * themselves. Shared: any thread adds and removes; processor threads tell.
 */
public final class Disconnections {
    private static final Logger LOGGER = LoggerFactory.getLogger(Disconnections.class);

    private final List<ConnectionDisconnectListener> listeners = new CopyOnWriteArrayList<>();

    /** Is told from now on. */
    public void add(ConnectionDisconnectListener listener) {
        listeners.add(listener);
    }

    /** Is no longer told. */
    public void remove(ConnectionDisconnectListener listener) {
        listeners.remove(listener);
    }

    /** A connection has ended, whoever ended it. The fault of a listener is its own. */
    void tell(String connection) {
        for (ConnectionDisconnectListener listener : listeners) {
            try {
                listener.onDisconnect(connection);
            } catch (RuntimeException fault) {
                LOGGER.error("the end of a connection was not taken in: connection={}", connection, fault);
            }
        }
    }
}
