package io.gregor.internal.quota;

import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.apache.kafka.server.quota.ThrottleCallback;

/**
 * The quotas of users and client ids in one role of the node (KIP-13, KIP-55, KIP-124, KIP-599), always those of the metadata.
 * A service with the property {@code role}. Shared: any thread; nothing blocks.
 *
 * <p>Values are bytes for {@code PRODUCE} and {@code FETCH}, hundredths of a thread's second for {@code REQUEST}, partitions
 * for {@code CONTROLLER_MUTATION}; throttle times are milliseconds, 0 or more.
 */
public interface ClientQuotas {
    /** Whether anybody has a quota of this type. While nobody has, nothing is measured, and the rest costs nothing. */
    boolean limits(ClientQuotaType type);

    /**
     * Counts what a client uses, if anybody has a quota of this type.
     *
     * @param nowMs of the wall clock
     * @return how long the client is to be held back for it; 0 while it is within its quota
     */
    int record(ClientQuotaType type, RequestContext who, double value, long nowMs);

    /** Counts what a client has used without asking whether it is within its quota: its next request pays. */
    void recordNoThrottle(ClientQuotaType type, RequestContext who, double value);

    /** Takes back what {@link #record} has counted at the same time: the client does not get it after all. */
    void unrecord(ClientQuotaType type, RequestContext who, double value, long nowMs);

    /** Counts the time of a request that is not subject to quotas, in hundredths of a thread's second. */
    void recordExempt(double value);

    /** The most that can be counted at once without a throttle time for sure; {@code Double.MAX_VALUE} without a quota. */
    double maxValueInWindow(ClientQuotaType type, RequestContext who);

    /**
     * Counts partitions that a request creates or deletes (KIP-599).
     *
     * @param strictSince the version of the request from which on what is too much is refused
     *     ({@code THROTTLING_QUOTA_EXCEEDED}); before, it is done and the client is held back
     */
    ControllerMutationQuota mutations(RequestContext who, int strictSince);

    /**
     * Holds a client back. The start is told before this returns; the end when the time is over, or at once when a change
     * leaves the client more than it had, or the quotas go away.
     *
     * @param type whose throttle times count it
     * @param throttleTimeMs how long; 0 does nothing
     * @param callback told both, each once
     */
    void throttle(ClientQuotaType type, RequestContext who, int throttleTimeMs, ThrottleCallback callback);
}
