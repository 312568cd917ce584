package io.gregor.share.internal;

import org.apache.kafka.server.share.fetch.RecordState;

/**
 * What a group allows at the moment. Immutable.
 *
 * @param deliveries how often a record is given out at most
 * @param recordLocks how many records of a partition may be in flight
 * @param hasDeadLetters whether records that nobody can process are kept in another topic
 */
record Limits(int deliveries, int recordLocks, boolean hasDeadLetters) {
    private static final int MIN_ISOLATED = 2;

    /** What becomes of records that are not to be given out again. */
    RecordState end() {
        return hasDeadLetters ? RecordState.ARCHIVING : RecordState.ARCHIVED;
    }

    /** What becomes of records that come back, given out so often. */
    RecordState afterReturn(int deliveryCount) {
        return deliveryCount >= deliveries ? end() : RecordState.AVAILABLE;
    }

    /**
     * How many of so many records go out together, which came back so often: fewer each time from half of the allowed
     * deliveries on, and one at the last, so that one bad record does not take its neighbours along.
     */
    long together(long records, int deliveryCount) {
        int from = Math.max(MIN_ISOLATED, (deliveries + 1) / 2);
        if (deliveryCount < from) {
            return records;
        }
        int halvings = Math.min(deliveryCount - from + 1, Long.SIZE - 1);
        return deliveryCount >= deliveries - 1 ? 1 : Math.max(1, records >> halvings);
    }
}
