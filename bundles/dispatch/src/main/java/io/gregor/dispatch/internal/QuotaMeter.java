package io.gregor.dispatch.internal;

import io.gregor.internal.quota.ClientQuotas;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.ThrottleCallback;
import org.jspecify.annotations.Nullable;

/**
 * Measures the requests of one role by the request quota (KIP-124). Shared: any thread. Without a quota, or without the service
 * that knows them, it measures nothing. What nodes ask of each other is exempt, as in Kafka.
 */
final class QuotaMeter {
    /** A hundredth of a thread's second. */
    private static final double NS_PER_UNIT = TimeUnit.SECONDS.toNanos(1) / 100.0;

    private static final ApiKeys[] EXEMPT = {ApiKeys.WRITE_TXN_MARKERS, ApiKeys.ALTER_PARTITION};

    /** What the quorum's nodes ask each other; brokers pass some of these on for their clients, who pay there. */
    private static final ApiKeys[] EXEMPT_AT_CONTROLLERS = {
        ApiKeys.FETCH,
        ApiKeys.FETCH_SNAPSHOT,
        ApiKeys.VOTE,
        ApiKeys.BEGIN_QUORUM_EPOCH,
        ApiKeys.END_QUORUM_EPOCH,
        ApiKeys.DESCRIBE_QUORUM,
        ApiKeys.ADD_RAFT_VOTER,
        ApiKeys.REMOVE_RAFT_VOTER,
        ApiKeys.UPDATE_RAFT_VOTER
    };

    private final BitSet exempt = new BitSet();
    private final Time time;
    private volatile @Nullable ClientQuotas quotas;

    QuotaMeter(boolean isController) {
        this(isController, Time.SYSTEM);
    }

    QuotaMeter(boolean isController, Time time) {
        this.time = time;
        for (ApiKeys api : EXEMPT) {
            exempt.set(api.id);
        }
        if (isController) {
            for (ApiKeys api : EXEMPT_AT_CONTROLLERS) {
                exempt.set(api.id);
            }
        }
    }

    /** From now on these count. */
    void quotas(ClientQuotas next) {
        quotas = next;
    }

    /** These count no more. */
    void without(ClientQuotas gone) {
        if (quotas == gone) {
            quotas = null;
        }
    }

    /** Whether there is anything to measure. */
    boolean isOn() {
        ClientQuotas current = quotas;
        return current != null && current.limits(ClientQuotaType.REQUEST);
    }

    /** Records what a request took of handler threads; how long its client is to be held back, in milliseconds. */
    int record(ParsedRequest request, long threadNs) {
        ClientQuotas current = quotas;
        if (current == null) {
            return 0;
        }
        if (isExempt(request)) {
            current.recordExempt(threadNs / NS_PER_UNIT);
            return 0;
        }
        return current.record(ClientQuotaType.REQUEST, request.context(), threadNs / NS_PER_UNIT, time.milliseconds());
    }

    /** Records what network threads did for a request; who is over the quota by that pays with the next one. */
    void recordNetwork(ParsedRequest request, long networkNs) {
        ClientQuotas current = quotas;
        if (current == null) {
            return;
        }
        if (isExempt(request)) {
            current.recordExempt(networkNs / NS_PER_UNIT);
        } else {
            current.recordNoThrottle(ClientQuotaType.REQUEST, request.context(), networkNs / NS_PER_UNIT);
        }
    }

    /** Records the time of a request that has no answer. */
    void recordExempt(long threadNs) {
        ClientQuotas current = quotas;
        if (current != null) {
            current.recordExempt(threadNs / NS_PER_UNIT);
        }
    }

    /** Holds a client back. */
    void throttle(ClientQuotaType type, RequestContext who, int throttleTimeMs, ThrottleCallback callback) {
        ClientQuotas current = quotas;
        if (current != null) {
            current.throttle(type, who, throttleTimeMs, callback);
        }
    }

    private boolean isExempt(ParsedRequest request) {
        return exempt.get(request.apiKey())
                || (request.parsedBody() instanceof FetchRequest fetch && fetch.isFromFollower());
    }
}
