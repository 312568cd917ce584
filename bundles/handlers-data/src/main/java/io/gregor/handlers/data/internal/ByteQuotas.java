package io.gregor.handlers.data.internal;

import io.gregor.api.Request;
import io.gregor.internal.quota.ClientQuotas;
import io.gregor.internal.request.Metered;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.jspecify.annotations.Nullable;

/** The quotas of bytes that are produced and fetched (KIP-13, KIP-219). Stateless. Shared: any thread. */
public final class ByteQuotas {
    private ByteQuotas() {}

    /** Counts what was produced, whether it was appended or not, and has the client held back if it is too much. */
    public static void produced(@Nullable ClientQuotas quotas, Request request) {
        if (quotas != null && quotas.limits(ClientQuotaType.PRODUCE) && request instanceof Metered metered) {
            int throttleTimeMs = quotas.record(
                    ClientQuotaType.PRODUCE, request.context(), metered.sizeInBytes(), Time.SYSTEM.milliseconds());
            metered.throttle(ClientQuotaType.PRODUCE, throttleTimeMs);
        }
    }

    /** The most that a consumer may be given at once: more would be over its quota whatever it had before. */
    public static int mostToFetch(@Nullable ClientQuotas quotas, RequestContext who) {
        return quotas == null || !quotas.limits(ClientQuotaType.FETCH)
                ? Integer.MAX_VALUE
                : (int) Math.min(Integer.MAX_VALUE, quotas.maxValueInWindow(ClientQuotaType.FETCH, who));
    }

    /**
     * Counts what a consumer is about to be given, and the time of its request. What is too much by either is not given, and
     * not counted.
     *
     * @return how long the consumer is to be held back, with an empty answer; 0 if it gets what was read
     */
    public static int fetched(@Nullable ClientQuotas quotas, Request request, int bytes) {
        if (quotas == null || !(request instanceof Metered metered)) {
            return 0;
        }
        int timeThrottleMs = metered.recordTime();
        long nowMs = Time.SYSTEM.milliseconds();
        int bytesThrottleMs = quotas.record(ClientQuotaType.FETCH, request.context(), bytes, nowMs);
        if (timeThrottleMs > 0 || bytesThrottleMs > 0) {
            quotas.unrecord(ClientQuotaType.FETCH, request.context(), bytes, nowMs);
            metered.throttle(ClientQuotaType.FETCH, bytesThrottleMs);
        }
        return Math.max(timeThrottleMs, bytesThrottleMs);
    }

    /** Counts what a member of a share group is given, and has it held back if it is too much. */
    public static void given(@Nullable ClientQuotas quotas, Request request, AbstractResponse response) {
        if (quotas != null && quotas.limits(ClientQuotaType.FETCH) && request instanceof Metered metered) {
            int bytes = response.data()
                    .size(new ObjectSerializationCache(), request.context().apiVersion());
            int throttleTimeMs =
                    quotas.record(ClientQuotaType.FETCH, request.context(), bytes, Time.SYSTEM.milliseconds());
            metered.throttle(ClientQuotaType.FETCH, throttleTimeMs);
        }
    }
}
