package io.gregor.transport.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bound listening socket: clients may connect and wait, nobody accepts yet. Immutable.
 *
 * @param address where it is bound, with the real port
 * @param channel the socket, non-blocking
 */
public record ServerPort(InetSocketAddress address, ServerSocketChannel channel) {
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerPort.class);

    /**
     * Binds the address of a listener; without a host all addresses of the machine, with port 0 a free one.
     *
     * @param leaving own sockets that go when this one is taken into use: one of them may have the same port at another host
     */
    public static ServerPort bind(Endpoint configured, TransportSettings settings, List<ServerPort> leaving) {
        List<ServerPort> neighbours = leaving.stream()
                .filter(socket -> socket.port() == configured.port())
                .toList();
        ServerSocketChannel channel = null;
        try {
            channel = ServerSocketChannel.open();
            channel.configureBlocking(false);
            int receiveBufferBytes = settings.sockets().receiveBufferBytes();
            if (receiveBufferBytes != TransportSettings.SYSTEM_DEFAULT) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
            }
            InetSocketAddress address = address(configured);
            neighbours.forEach(socket -> socket.sharePort(true));
            if (!neighbours.isEmpty()) {
                sharePort(channel, true);
            }
            channel.bind(address, settings.backlog());
            int port = channel.socket().getLocalPort();
            return new ServerPort(new InetSocketAddress(address.getAddress(), port), channel);
        } catch (IOException e) {
            Utils.closeQuietly(channel, "listening socket");
            throw new CannotBindException(configured, e);
        } finally {
            neighbours.forEach(socket -> socket.sharePort(false));
            if (channel != null && channel.isOpen()) {
                sharePort(channel, false);
            }
        }
    }

    /** The real port. */
    int port() {
        return address.getPort();
    }

    /** Whether a listener is configured for this host, whatever its port; a host that is not known is another one. */
    static boolean isHost(InetAddress host, Endpoint configured) {
        try {
            InetAddress other = address(configured).getAddress();
            return other.equals(host) || (other.isAnyLocalAddress() && host.isAnyLocalAddress());
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** The listener as the operator wrote it, for messages. */
    static String configured(Endpoint endpoint) {
        return "listeners=" + endpoint.listener() + "://" + host(endpoint) + ":" + endpoint.port();
    }

    private static String host(Endpoint endpoint) {
        String host = endpoint.host();
        return host == null || host.isBlank() ? "" : host;
    }

    private static InetSocketAddress address(Endpoint configured) throws UnknownHostException {
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

    private void sharePort(boolean isShared) {
        sharePort(channel, isShared);
    }

    /** Only while another own socket is bound to the port: nobody else is to share it. */
    private static void sharePort(ServerSocketChannel channel, boolean isShared) {
        SocketOption<Boolean> option = StandardSocketOptions.SO_REUSEPORT;
        try {
            if (channel.supportedOptions().contains(option)) {
                channel.setOption(option, isShared);
            }
        } catch (IOException e) {
            LOGGER.debug("port not shared: socket={} reason={}", channel, e.toString());
        }
    }
}
