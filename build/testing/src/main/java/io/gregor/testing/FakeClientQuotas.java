package io.gregor.testing;

import io.gregor.internal.quota.ClientQuotas;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.apache.kafka.server.quota.ThrottleCallback;

/** Quotas that demand what a test says, and keep what was counted. Owned by the test's thread. */
public final class FakeClientQuotas implements ClientQuotas {
    /** What was counted: of each type, in order; what was taken back is negative. */
    public final Map<ClientQuotaType, List<Double>> recorded = new EnumMap<>(ClientQuotaType.class);

    /** What was counted as exempt. */
    public final List<Double> exempt = new ArrayList<>();

    /** Who is held back by what and how long, as {@code PRODUCE=100}. */
    public final List<String> throttled = new ArrayList<>();

    /** What lets go who is held back. */
    public final List<ThrottleCallback> callbacks = new ArrayList<>();

    /** What {@link #maxValueInWindow} says. */
    public double most = Double.MAX_VALUE;

    private final Map<ClientQuotaType, Integer> throttleTimeMs = new EnumMap<>(ClientQuotaType.class);

    /** From now on there is a quota of this type, and it demands this for whatever is counted. */
    public FakeClientQuotas demand(ClientQuotaType type, int timeMs) {
        throttleTimeMs.put(type, timeMs);
        return this;
    }

    @Override
    public boolean limits(ClientQuotaType type) {
        return throttleTimeMs.containsKey(type);
    }

    @Override
    public int record(ClientQuotaType type, RequestContext who, double value, long nowMs) {
        recordNoThrottle(type, who, value);
        return throttleTimeMs.getOrDefault(type, 0);
    }

    @Override
    public void recordNoThrottle(ClientQuotaType type, RequestContext who, double value) {
        recorded.computeIfAbsent(type, ignored -> new ArrayList<>()).add(value);
    }

    @Override
    public void unrecord(ClientQuotaType type, RequestContext who, double value, long nowMs) {
        recordNoThrottle(type, who, -value);
    }

    @Override
    public void recordExempt(double value) {
        exempt.add(value);
    }

    @Override
    public double maxValueInWindow(ClientQuotaType type, RequestContext who) {
        return most;
    }

    @Override
    public ControllerMutationQuota mutations(RequestContext who, int strictSince) {
        int timeMs = throttleTimeMs.getOrDefault(ClientQuotaType.CONTROLLER_MUTATION, 0);
        boolean isStrict = who.apiVersion() >= strictSince;
        return new ControllerMutationQuota() {
            @Override
            public boolean isExceeded() {
                return timeMs > 0;
            }

            @Override
            public void record(double permits) {
                if (isStrict && timeMs > 0) {
                    throw new ThrottlingQuotaExceededException(timeMs, "too many");
                }
                recordNoThrottle(ClientQuotaType.CONTROLLER_MUTATION, who, permits);
            }

            @Override
            public int throttleTime() {
                return timeMs;
            }
        };
    }

    @Override
    public void throttle(ClientQuotaType type, RequestContext who, int timeMs, ThrottleCallback callback) {
        throttled.add(type + "=" + timeMs);
        callbacks.add(callback);
        callback.startThrottling();
    }
}
