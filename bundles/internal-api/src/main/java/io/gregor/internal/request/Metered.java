package io.gregor.internal.request;

import org.apache.kafka.server.quota.ClientQuotaType;

/**
 * A request that is subject to quotas. Implemented by the requests that handlers get. The one place that answers records the
 * time of every request, puts the longest throttle time into the answer, and holds the connection back for it. By whoever
 * answers, before the answer.
 */
public interface Metered {
    /** The bytes of header and body as they came. */
    int sizeInBytes();

    /**
     * Records the time of this request now, for a handler that gives another answer to a client that is to be held back.
     *
     * @return how long the request quota holds the client back, in milliseconds; 0 if it does not
     */
    int recordTime();

    /**
     * Another quota holds the client back too.
     *
     * @param type which
     * @param throttleTimeMs how long, in milliseconds; 0 does nothing
     */
    void throttle(ClientQuotaType type, int throttleTimeMs);
}
