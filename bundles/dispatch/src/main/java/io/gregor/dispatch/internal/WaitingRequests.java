package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of an API key whose last handler has left without notice: they wait for the next one, on no thread. Shared:
 * any thread; see {@code add}. There is at most one request of each connection, and its bytes count against those of its
 * listener as those of any request in hand.
 */
final class WaitingRequests {
    private static final Logger LOGGER = LoggerFactory.getLogger(WaitingRequests.class);

    private final long bundleId;
    private final long sinceNs;

    @GuardedBy("this")
    private final List<Waiting> waiting = new ArrayList<>();

    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private boolean ended;

    /** Immutable. A request, and what brings it back to a handler thread. */
    private record Waiting(ParsedRequest request, Runnable goOn) {}

    /**
     * @param bundleId the bundle of the handler that has left
     * @param sinceNs when it left
     */
    WaitingRequests(long bundleId, long sinceNs) {
        this.bundleId = bundleId;
        this.sinceNs = sinceNs;
    }

    /** The bundle of the handler that has left. */
    long bundleId() {
        return bundleId;
    }

    /** When it left. */
    long sinceNs() {
        return sinceNs;
    }

    /** Takes a request; false if the wait is over, and there is another table. */
    synchronized boolean add(ParsedRequest request, Runnable goOn) {
        if (ended) {
            return false;
        }
        waiting.add(new Waiting(request, goOn));
        bytes += request.bodySize();
        return true;
    }

    /** How many wait. */
    synchronized int count() {
        return waiting.size();
    }

    /** How many bytes they have after their headers. */
    synchronized long bytes() {
        return bytes;
    }

    /** Brings all back to handler threads, as there is another table now; returns how many. */
    int goOn() {
        List<Waiting> all = end();
        all.forEach(one -> one.goOn().run());
        return all.size();
    }

    /** Closes the connections of all, as there is another table now; returns how many. */
    int giveUp() {
        List<Waiting> all = end();
        for (Waiting one : all) {
            try {
                one.request().closeConnection();
            } catch (RuntimeException e) {
                LOGGER.error("connection of a request that waited could not be closed: {}", one.request(), e);
            }
        }
        return all.size();
    }

    private synchronized List<Waiting> end() {
        List<Waiting> all = List.copyOf(waiting);
        ended = true;
        waiting.clear();
        bytes = 0;
        return all;
    }
}
