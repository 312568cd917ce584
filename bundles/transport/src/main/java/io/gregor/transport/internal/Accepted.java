package io.gregor.transport.internal;

import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An accepted socket with its place among the connections, on the way from acceptor to processor. Immutable. */
record Accepted(SocketChannel socket, InetAddress address, ListenerShare share) {
    private static final Logger LOGGER = LoggerFactory.getLogger(Accepted.class);

    /** Closes the socket and gives the place back. Called once, by whoever has it. */
    void discard() {
        try {
            socket.close();
        } catch (IOException e) {
            LOGGER.debug("closing a socket failed: client={} reason={}", address, e.toString());
        } finally {
            share.leave(address);
        }
    }
}
