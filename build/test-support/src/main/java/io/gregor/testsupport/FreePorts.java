package io.gregor.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of this machine that nobody uses, below those that the system gives to clients: a client that asks for a node which is
 * not up could otherwise be given that very port, and meet itself. Immutable.
 */
final class FreePorts {
    private static final int FIRST = 15_000;
    private static final int LAST = 30_000;

    private FreePorts() {}

    /** One of them, on the loopback address, unlike {@code other}. */
    static int unlike(int other) {
        while (true) {
            int candidate = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (candidate != other && isFree(candidate)) {
                return candidate;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
