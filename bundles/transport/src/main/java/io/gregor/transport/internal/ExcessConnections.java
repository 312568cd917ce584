package io.gregor.transport.internal;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds connections to close when there are more than {@code max.connections}: as the inter-broker listener was let in over
 * the limit, or the limit was lowered. One that closes already, else the one that did nothing for the longest time; one
 * whose request is in hand only if there is no other. Never one of the inter-broker listener. Shared: any thread; seldom
 * needed, and then it looks at all connections.
 */
public final class ExcessConnections {
    private final ConnectionQuotas quotas;
    private final Supplier<Stream<? extends Candidate>> connections;

    /** A connection that may be closed. Shared: any thread. */
    interface Candidate {
        /** Whether it came in by the inter-broker listener. */
        boolean isProtected();

        /** Whether it is about to be closed for whatever reason. */
        boolean isEnding();

        /** Whether its client waits for a response. */
        boolean isWaitedFor();

        /** When bytes came or went last. */
        long lastActiveNs();

        /** Has it closed as there are too many; false if it is closed, or to be closed for that already. */
        boolean condemn();
    }

    /** Finds them among these connections. */
    ExcessConnections(ConnectionQuotas quotas, Supplier<Stream<? extends Candidate>> connections) {
        this.quotas = quotas;
        this.connections = connections;
    }

    /** How a connection stood when it was looked at: what is lower goes first. Immutable. */
    private record Standing(Candidate connection, int rank, long lastActiveNs) {
        static final Comparator<Standing> ORDER =
                Comparator.comparingInt(Standing::rank).thenComparingLong(Standing::lastActiveNs);

        static Standing of(Candidate connection) {
            int rank = connection.isEnding() ? 0 : connection.isWaitedFor() ? 2 : 1;
            return new Standing(connection, rank, connection.lastActiveNs());
        }
    }

    /** Orders the end of as many connections as there are too many. */
    void closeIfOver() {
        if (!quotas.isOver()) {
            return;
        }
        List<Standing> inOrder = connections
                .get()
                .filter(connection -> !connection.isProtected())
                .map(Standing::of)
                .sorted(Standing.ORDER)
                .toList();
        Iterator<Standing> next = inOrder.iterator();
        while (next.hasNext() && quotas.condemnOne()) {
            boolean found = false;
            while (!found && next.hasNext()) {
                found = next.next().connection().condemn();
            }
            if (!found) {
                quotas.pardonOne();
            }
        }
    }
}
