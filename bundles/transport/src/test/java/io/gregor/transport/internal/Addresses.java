package io.gregor.transport.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses for tests. Immutable. */
final class Addresses {
    private Addresses() {}

    /** 10.0.0.{@code last}. */
    static InetAddress of(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
