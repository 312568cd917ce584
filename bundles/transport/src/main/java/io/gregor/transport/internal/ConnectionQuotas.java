package io.gregor.transport.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many connections there may be: in the role ({@code max.connections}), on a listener (the same key with the
 * listener's prefix), from one address ({@code max.connections.per.ip} and overrides). Whoever takes a place gives it back
 * once, whatever way the connection ends. Shared: any thread; asked when a connection comes and goes, never per request.
 */
public final class ConnectionQuotas {
    /** The limits. Immutable. */
    public record Limits(int maxConnections, int maxPerAddress, Map<InetAddress, Integer> perAddress) {
        int of(InetAddress address) {
            return perAddress.getOrDefault(address, maxPerAddress);
        }
    }

    private final Limits limits;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<InetAddress, Integer> countByAddress = new HashMap<>();

    @GuardedBy("lock")
    private final List<Runnable> waiting = new ArrayList<>();

    @GuardedBy("lock")
    private int listeners;

    @GuardedBy("lock")
    private int total;

    /** No connections yet. */
    public ConnectionQuotas(Limits limits) {
        this.limits = limits;
    }

    /**
     * Adds a listener.
     *
     * @param maxConnections its own limit
     * @param isProtected whether it is let in over the role's limit when it is not the only one: brokers must reach each
     *     other
     */
    public ListenerShare addListener(int maxConnections, boolean isProtected) {
        synchronized (lock) {
            listeners++;
            return new ListenerShare(maxConnections, isProtected);
        }
    }

    /** The place of one listener among the others. Shared: any thread. */
    public final class ListenerShare {
        private final int maxConnections;
        private final boolean isProtected;

        @GuardedBy("ConnectionQuotas.this.lock")
        private int count;

        private ListenerShare(int maxConnections, boolean isProtected) {
            this.maxConnections = maxConnections;
            this.isProtected = isProtected;
        }

        /** Takes a place for a connection that is still to be accepted; if there is none, a call comes when to ask again. */
        boolean tryTakePlace(Runnable whenFree) {
            synchronized (lock) {
                boolean roleHasRoom = total < limits.maxConnections() || (isProtected && listeners > 1);
                if (count >= maxConnections || !roleHasRoom) {
                    waiting.add(whenFree);
                    return false;
                }
                count++;
                total++;
                return true;
            }
        }

        /** Counts the address of an accepted connection; false if there are too many of it, and then it is not counted. */
        boolean tryAddress(InetAddress address) {
            synchronized (lock) {
                int now = countByAddress.getOrDefault(address, 0);
                if (now >= limits.of(address)) {
                    return false;
                }
                countByAddress.put(address, now + 1);
                return true;
            }
        }

        /** The connection with this address is gone. */
        void leave(InetAddress address) {
            synchronized (lock) {
                countByAddress.computeIfPresent(address, (key, now) -> now == 1 ? null : now - 1);
            }
            giveBackPlace();
        }

        /** Nothing was accepted, or the address was refused. */
        void giveBackPlace() {
            List<Runnable> toTell;
            synchronized (lock) {
                count--;
                total--;
                toTell = List.copyOf(waiting);
                waiting.clear();
            }
            toTell.forEach(Runnable::run);
        }

        /** Connections of the listener, closing ones included. */
        public int count() {
            synchronized (lock) {
                return count;
            }
        }
    }
}
