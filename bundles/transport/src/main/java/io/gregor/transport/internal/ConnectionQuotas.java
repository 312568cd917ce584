package io.gregor.transport.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.network.ListenerName;

/**
 * How many connections there may be: in the role ({@code max.connections}), on a listener (the same key with the
 * listener's prefix), from one address ({@code max.connections.per.ip} and overrides); and how fast they may come. Whoever
 * takes a place gives it back once, whatever way the connection ends. Shared: any thread; asked when a connection comes and
 * goes, never per request.
 */
public final class ConnectionQuotas {
    /** The limits of the role. Immutable. */
    public record Limits(
            int maxConnections, int maxCreationRate, int maxPerAddress, Map<InetAddress, Integer> perAddress) {
        /** No limits. */
        static final Limits NONE = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Map.of());

        int of(InetAddress address) {
            return perAddress.getOrDefault(address, maxPerAddress);
        }
    }

    /** The limits of one listener. Immutable. */
    public record ListenerLimits(int maxConnections, int maxCreationRate) {}

    private final CreationRates rates;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private Limits limits = Limits.NONE;

    @GuardedBy("lock")
    private final Map<InetAddress, Integer> countByAddress = new HashMap<>();

    @GuardedBy("lock")
    private final Set<Runnable> waiting = new LinkedHashSet<>();

    @GuardedBy("lock")
    private final Map<ListenerName, ListenerShare> listeners = new HashMap<>();

    @GuardedBy("lock")
    private int total;

    @GuardedBy("lock")
    private int condemned;

    private volatile boolean isOver;

    /** No connections and no limits yet. */
    public ConnectionQuotas(CreationRates rates) {
        this.rates = rates;
    }

    /** From now on these limits count for the role and its listeners; {@link #isOver} if there are too many connections. */
    public void limits(Limits next, Function<ListenerName, ListenerLimits> ofListener) {
        rates.ofRole(next.maxCreationRate());
        List<Runnable> toTell;
        synchronized (lock) {
            limits = next;
            listeners.forEach((name, share) -> share.limits(ofListener.apply(name)));
            toTell = changed();
        }
        toTell.forEach(Runnable::run);
    }

    /**
     * Adds a listener.
     *
     * @param isProtected whether it is let in over the role's limit when it is not the only one: brokers must reach each
     *     other
     */
    public ListenerShare addListener(ListenerName listener, ListenerLimits own, boolean isProtected) {
        ListenerShare share = new ListenerShare(listener, own, isProtected);
        synchronized (lock) {
            listeners.put(listener, share);
        }
        return share;
    }

    /** Whether there are more connections than the role may have, those aside that are to be closed for it already. */
    boolean isOver() {
        return isOver;
    }

    /** Whether one more connection is to be closed as there are too many; the caller then has to find one. */
    boolean condemnOne() {
        synchronized (lock) {
            boolean isNeeded = total - condemned > limits.maxConnections();
            if (isNeeded) {
                condemned++;
                isOver = total - condemned > limits.maxConnections();
            }
            return isNeeded;
        }
    }

    /** No connection was found after {@link #condemnOne}. */
    void pardonOne() {
        synchronized (lock) {
            condemned--;
            isOver = total - condemned > limits.maxConnections();
        }
    }

    /** Those who wait, as there may be a place now. */
    @GuardedBy("lock")
    private List<Runnable> changed() {
        isOver = total - condemned > limits.maxConnections();
        List<Runnable> toTell = List.copyOf(waiting);
        waiting.clear();
        return toTell;
    }

    /** The place of one listener among the others. Shared: any thread. */
    public final class ListenerShare {
        private final ListenerName listener;
        private final boolean isInterBroker;
        private final CreationRates.OfListener creationRate;
        private final ListenerMetrics metrics;

        private volatile ListenerLimits own;

        @GuardedBy("ConnectionQuotas.this.lock")
        private int count;

        private ListenerShare(ListenerName listener, ListenerLimits own, boolean isInterBroker) {
            this.listener = listener;
            this.own = own;
            this.isInterBroker = isInterBroker;
            this.creationRate = rates.addListener(listener.value(), own.maxCreationRate());
            this.metrics = new ListenerMetrics(listener.value());
        }

        private void limits(ListenerLimits next) {
            own = next;
            creationRate.bound(next.maxCreationRate());
        }

        /** Whether brokers use it, so that the role's limit and rate are not for it. */
        boolean isProtected() {
            synchronized (lock) {
                return isInterBroker && listeners.size() > 1;
            }
        }

        /** Takes a place for a connection that is still to be accepted; if there is none, a call comes when to ask again. */
        boolean tryTakePlace(Runnable whenFree) {
            synchronized (lock) {
                boolean roleHasRoom = total < limits.maxConnections() || (isInterBroker && listeners.size() > 1);
                if (count >= own.maxConnections() || !roleHasRoom) {
                    waiting.add(whenFree);
                    return false;
                }
                count++;
                total++;
                isOver = total - condemned > limits.maxConnections();
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

        /** How fast connections come here. */
        CreationRates.OfListener creationRate() {
            return creationRate;
        }

        /** Where the listener's acceptor tells for how long it could not accept a client that waited. */
        ListenerMetrics metrics() {
            return metrics;
        }

        /** The connection with this address is gone. */
        void leave(InetAddress address, boolean wasCondemned) {
            List<Runnable> toTell;
            synchronized (lock) {
                countByAddress.computeIfPresent(address, (key, now) -> now == 1 ? null : now - 1);
                condemned -= wasCondemned ? 1 : 0;
                toTell = placeFree();
            }
            toTell.forEach(Runnable::run);
        }

        /** Nothing was accepted, or the client was refused. */
        void giveBackPlace() {
            List<Runnable> toTell;
            synchronized (lock) {
                toTell = placeFree();
            }
            toTell.forEach(Runnable::run);
        }

        @GuardedBy("ConnectionQuotas.this.lock")
        private List<Runnable> placeFree() {
            count--;
            total--;
            return changed();
        }

        /** Connections of the listener, closing ones included. */
        public int count() {
            synchronized (lock) {
                return count;
            }
        }

        /** The listener is gone; connections that are still there leave as ever. Once. */
        public void close() {
            synchronized (lock) {
                listeners.remove(listener, this);
            }
            creationRate.close();
            metrics.close();
        }
    }
}
