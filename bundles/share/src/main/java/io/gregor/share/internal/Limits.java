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
    private static final int MIN_APART = 2;

    /** What becomes of records that are not to be given out again. */
    RecordState end() {
        return hasDeadLetters ? RecordState.ARCHIVING : RecordState.ARCHIVED;
    }

    /** What becomes of records that come back, given out so often. */
    RecordState afterReturn(int deliveryCount) {
        return deliveryCount >= deliveries ? end() : RecordState.AVAILABLE;
    }

    /**
     * Whether records that came back so often go out with no others, which one bad record among them would take along: from half
     * of the allowed deliveries on.
     */
    boolean isApart(int deliveryCount) {
        return deliveryCount >= apartFrom();
    }

    private int apartFrom() {
        return Math.max(MIN_APART, (deliveries + 1) / 2);
    }

    /** How many of so many records go out together, which came back so often: half as many each time, and one at the last. */
    long together(long records, int deliveryCount) {
        if (!isApart(deliveryCount)) {
            return records;
        }
        int halvings = Math.min(deliveryCount - apartFrom() + 1, Long.SIZE - 1);
        return deliveryCount >= deliveries - 1 ? 1 : Math.max(1, records >> halvings);
    }
}
