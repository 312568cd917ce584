package io.gregor.transport.internal;

import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * The settings that all listeners of a role share. Immutable.
 *
 * @param nodeId {@code node.id}
 * @param maxRequestBytes {@code socket.request.max.bytes}
 * @param sendBufferBytes {@code socket.send.buffer.bytes}, -1 for the operating system's
 * @param receiveBufferBytes {@code socket.receive.buffer.bytes}, -1 for the operating system's
 * @param backlog {@code socket.listen.backlog.size}
 * @param maxIdleMs {@code connections.max.idle.ms}, negative for ever
 * @param failedAuthenticationDelayMs {@code connection.failed.authentication.delay.ms}
 */
public record TransportSettings(
        int nodeId,
        int maxRequestBytes,
        int sendBufferBytes,
        int receiveBufferBytes,
        int backlog,
        long maxIdleMs,
        int failedAuthenticationDelayMs) {
    static final int SYSTEM_DEFAULT = -1;

    /** Takes them from the node's configuration. */
    public static TransportSettings of(AbstractKafkaConfig values) {
        return new TransportSettings(
                values.nodeId(),
                values.socketRequestMaxBytes(),
                values.socketSendBufferBytes(),
                values.socketReceiveBufferBytes(),
                values.socketListenBacklogSize(),
                values.connectionsMaxIdleMs(),
                values.failedAuthenticationDelayMs());
    }
}
