package io.gregor.transport.internal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.utils.Utils;

/**
 * A bound listening socket: clients may connect and wait, nobody accepts yet. Immutable.
 *
 * @param host the host as configured, empty for all addresses of the machine
 * @param port the real port
 * @param channel the socket, non-blocking
 */
public record ServerPort(String host, int port, ServerSocketChannel channel) {
    /** Binds the address of a listener; without a host all addresses of the machine, with port 0 a free one. */
    public static ServerPort bind(Endpoint configured, TransportSettings settings) {
        ServerSocketChannel channel = null;
        try {
            channel = ServerSocketChannel.open();
            channel.configureBlocking(false);
            if (settings.sockets().receiveBufferBytes() != TransportSettings.SYSTEM_DEFAULT) {
                channel.setOption(
                        StandardSocketOptions.SO_RCVBUF, settings.sockets().receiveBufferBytes());
            }
            channel.bind(address(configured), settings.backlog());
            return new ServerPort(host(configured), channel.socket().getLocalPort(), channel);
        } catch (IOException e) {
            Utils.closeQuietly(channel, "listening socket");
            throw new CannotBindException(configured, e);
        }
    }

    /** The listener as the operator wrote it, for messages. */
    static String configured(Endpoint endpoint) {
        return "listeners=" + endpoint.listener() + "://" + host(endpoint) + ":" + endpoint.port();
    }

    static String host(Endpoint endpoint) {
        String host = endpoint.host();
        return host == null || host.isBlank() ? "" : host;
    }

    private static InetSocketAddress address(Endpoint configured) throws IOException {
        String host = host(configured);
        if (host.isEmpty()) {
            return new InetSocketAddress(configured.port());
        }
        InetSocketAddress address = new InetSocketAddress(host, configured.port());
        if (address.isUnresolved()) {
            throw new UnknownHostException("the host is not known");
        }
        return address;
    }
}
