package io.gregor.internal.plugin;

import java.util.List;
import java.util.Map;

/**
 * Serves requests with the handlers and filters of bundles. A service of dispatch, with the property {@code role}. Shared:
 * any thread; nothing here waits.
 */
public interface ServingBundles {
    /**
     * Says how bundles stand, all at once: when it returns, new requests go by it.
     *
     * @param standings by bundle id; those that are not in it are {@link Standing#LIVE}
     */
    void stand(Map<Long, Standing> standings);

    /** How the bundles do whose handlers or filters have been used since they came. */
    List<Account> accounts();

    /**
     * How their handlers do with each API key: what {@link Account} sums up. A trial is judged by it, since two bundles that
     * serve different keys cannot be compared by their sums.
     */
    List<KeyAccount> accountsByKey();

    /**
     * Requests that were given to handlers of a bundle and have no answer yet; when its standing lets nothing new in, and
     * this is 0, it can be stopped without harm.
     */
    long inHand(long bundleId);

    /** Asks the handlers of a bundle to answer what they have in hand soon, with what there is. */
    void hurry(long bundleId);

    /**
     * What a bundle's handlers and filters did, counted since the bundle came. Immutable.
     *
     * @param bundleId the framework's number of the bundle
     * @param requests requests its handlers answered
     * @param failures of those, how many ended by a fault: the handler threw what is no error of Kafka's, closed the
     *     connection, or answered UNKNOWN_SERVER_ERROR
     * @param errors of those, how many were answered with any error
     * @param busyNs nanoseconds that handler threads spent in its handlers
     * @param answerNs nanoseconds from the handler's first call to its answer, all requests together
     * @param filterCalls calls of its filters
     * @param filterFaults of those, how many were faults: thrown, late, too much allocated, or given up
     * @param filterNs nanoseconds that its filters took
     * @param allocatedBytes what both allocated on handler threads; of bundles of the distribution it is not measured, and -1
     */
    record Account(
            long bundleId,
            long requests,
            long failures,
            long errors,
            long busyNs,
            long answerNs,
            long filterCalls,
            long filterFaults,
            long filterNs,
            long allocatedBytes) {}

    /** What a bundle's handlers did with the requests of one API key, as in {@link Account}. Immutable. */
    record KeyAccount(
            long bundleId, short apiKey, long requests, long failures, long errors, long busyNs, long answerNs) {}
}
