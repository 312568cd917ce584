package io.gregor.transport.internal;

import io.gregor.internal.node.GregorConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * The settings that all listeners of a role share. Immutable.
 *
 * @param nodeId {@code node.id}
 * @param backlog {@code socket.listen.backlog.size}
 * @param sockets what concerns single sockets
 * @param maxIdleMs {@code connections.max.idle.ms}, negative for ever
 * @param failedAuthenticationDelayMs {@code connection.failed.authentication.delay.ms}
 * @param drainTimeoutMs {@code gregor.listener.drain.timeout.ms}
 */
public record TransportSettings(
        int nodeId,
        int backlog,
        Sockets sockets,
        long maxIdleMs,
        int failedAuthenticationDelayMs,
        long drainTimeoutMs) {
    static final int SYSTEM_DEFAULT = -1;

    /**
     * What concerns single sockets. Immutable.
     *
     * @param maxRequestBytes {@code socket.request.max.bytes}
     * @param sendBufferBytes {@code socket.send.buffer.bytes}, -1 for the operating system's
     * @param receiveBufferBytes {@code socket.receive.buffer.bytes}, -1 for the operating system's
     */
    public record Sockets(int maxRequestBytes, int sendBufferBytes, int receiveBufferBytes) {
        static Sockets of(AbstractKafkaConfig values) {
            return new Sockets(
                    values.socketRequestMaxBytes(), values.socketSendBufferBytes(), values.socketReceiveBufferBytes());
        }
    }

    /** Takes them from the node's configuration. */
    public static TransportSettings of(AbstractKafkaConfig values) {
        return new TransportSettings(
                values.nodeId(),
                values.socketListenBacklogSize(),
                Sockets.of(values),
                values.connectionsMaxIdleMs(),
                values.failedAuthenticationDelayMs(),
                values.getLong(GregorConfigs.LISTENER_DRAIN_TIMEOUT_MS_CONFIG));
    }

    /** The same with other times. */
    TransportSettings with(long nextMaxIdleMs, int nextFailedAuthenticationDelayMs) {
        return new TransportSettings(
                nodeId, backlog, sockets, nextMaxIdleMs, nextFailedAuthenticationDelayMs, drainTimeoutMs);
    }

    /** The same with other sockets and time to drain. */
    TransportSettings with(Sockets next, long nextDrainTimeoutMs) {
        return new TransportSettings(nodeId, backlog, next, maxIdleMs, failedAuthenticationDelayMs, nextDrainTimeoutMs);
    }
}
