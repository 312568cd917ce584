package io.gregor.share.internal;

import org.apache.kafka.clients.consumer.internals.ShareAcquireMode;

/**
 * Who acquires, and how much. Immutable.
 *
 * @param lock the time that the member has for it
 */
record Acquiring(String member, ShareAcquireMode mode, long maxRecords, int batchSize, RecordLock lock) {
    /** Whether not one record more than wanted is acquired; else whole batches are. */
    boolean isStrict() {
        return mode == ShareAcquireMode.RECORD_LIMIT;
    }

    /** How many records of one batch may still come, after so many. */
    long room(long acquired) {
        return isStrict() ? maxRecords - acquired : Long.MAX_VALUE;
    }
}
