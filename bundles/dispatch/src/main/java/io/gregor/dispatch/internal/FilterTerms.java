package io.gregor.dispatch.internal;

import io.gregor.api.FiltersApis;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/**
 * What a filter says of itself in its service properties, see {@link FiltersApis}. Immutable.
 *
 * @param keys the API keys that it sees
 * @param listeners the listeners that it sees; none stands for all
 * @param principals the principals that it sees; none stands for all
 * @param isClosed whether its requests are refused when it fails
 * @param budget what it may take
 * @param wrong what of the properties is wrong and what would be right; empty if nothing is
 */
record FilterTerms(
        List<Short> keys,
        List<String> listeners,
        List<KafkaPrincipal> principals,
        boolean isClosed,
        Budget budget,
        String wrong) {
    /**
     * What a filter may take. Immutable.
     *
     * @param time of one call, judged when it returns
     * @param limit when a call is given up
     * @param allocatedBytes of one call, judged when it returns
     * @param faults so many of them put it out
     * @param window within this time
     */
    record Budget(Duration time, Duration limit, long allocatedBytes, int faults, Duration window) {}

    /** {@code open} or {@code closed}. */
    String fails() {
        return isClosed ? FilterProperties.CLOSED : FilterProperties.OPEN;
    }

    /** Whether it sees what comes by this listener from this principal. */
    boolean covers(RequestContext who) {
        return (listeners.isEmpty() || listeners.contains(who.listenerName.value()))
                && (principals.isEmpty() || hasPrincipal(who.principal));
    }

    /** By type and name: a principal of an authenticator's own class is never equal to one of Kafka's. */
    private boolean hasPrincipal(KafkaPrincipal asking) {
        for (KafkaPrincipal principal : principals) {
            if (principal.getName().equals(asking.getName())
                    && principal.getPrincipalType().equals(asking.getPrincipalType())) {
                return true;
            }
        }
        return false;
    }
}
