package io.gregor.transport.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.transport.internal.TransportSettings.Sockets;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.network.SocketServerConfigs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sizes of requests and socket buffers, and the time to drain, live: the size of a request counts from the next request on,
 * that of a buffer from the next connection on. Immutable; called on the reconfiguration thread.
 */
final class SocketSettings implements LiveSettings {
    private static final Logger LOGGER = LoggerFactory.getLogger(SocketSettings.class);
    private static final Set<String> KEYS = Set.of(
            SocketServerConfigs.SOCKET_REQUEST_MAX_BYTES_CONFIG,
            SocketServerConfigs.SOCKET_SEND_BUFFER_BYTES_CONFIG,
            SocketServerConfigs.SOCKET_RECEIVE_BUFFER_BYTES_CONFIG,
            GregorConfigs.LISTENER_DRAIN_TIMEOUT_MS_CONFIG);

    /** Requests of the nodes and of those who change settings fit into it: with less, nobody could take the change back. */
    private static final int LEAST_REQUEST_BYTES = 1_024;

    private final RoleTransport role;
    private final Supplier<List<ServerPort>> ports;

    /** Settings of a role whose listening sockets are these just now. */
    SocketSettings(RoleTransport role, Supplier<List<ServerPort>> ports) {
        this.role = role;
        this.ports = ports;
    }

    @Override
    public boolean owns(String key) {
        return KEYS.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        Sockets now = role.settings().sockets();
        Sockets next = Sockets.of(change.after().values());
        long drainTimeoutMs = change.after().values().getLong(GregorConfigs.LISTENER_DRAIN_TIMEOUT_MS_CONFIG);
        if (!change.isReplay() && next.maxRequestBytes() < LEAST_REQUEST_BYTES) {
            throw new ConfigException(
                    SocketServerConfigs.SOCKET_REQUEST_MAX_BYTES_CONFIG,
                    next.maxRequestBytes(),
                    "must be at least " + LEAST_REQUEST_BYTES + " to be changed back without a restart");
        }
        checkBuffer(SocketServerConfigs.SOCKET_SEND_BUFFER_BYTES_CONFIG, next.sendBufferBytes());
        checkBuffer(SocketServerConfigs.SOCKET_RECEIVE_BUFFER_BYTES_CONFIG, next.receiveBufferBytes());
        if (next.receiveBufferBytes() == TransportSettings.SYSTEM_DEFAULT
                && now.receiveBufferBytes() != TransportSettings.SYSTEM_DEFAULT) {
            throw new ConfigException(
                    SocketServerConfigs.SOCKET_RECEIVE_BUFFER_BYTES_CONFIG,
                    next.receiveBufferBytes(),
                    "a listening socket cannot go back to the operating system's size; name a size, or set the key in"
                            + " server.properties and restart");
        }
        return PreparedChange.of(() -> {
            role.settings(role.settings().with(next, drainTimeoutMs));
            if (next.receiveBufferBytes() != now.receiveBufferBytes()) {
                ports.get().forEach(port -> receiveBuffer(port, next.receiveBufferBytes()));
            }
        });
    }

    private static void checkBuffer(String key, int bytes) {
        if (bytes != TransportSettings.SYSTEM_DEFAULT && bytes < 1) {
            throw new ConfigException(key, bytes, "must be at least 1, or -1 for the operating system's size");
        }
    }

    private static void receiveBuffer(ServerPort port, int bytes) {
        try {
            port.channel().setOption(StandardSocketOptions.SO_RCVBUF, bytes);
        } catch (IOException e) {
            LOGGER.warn("receive buffer not set: port={} bytes={} reason={}", port.port(), bytes, e.toString());
        }
    }
}
