package io.gregor.transactions.internal;

import org.apache.kafka.common.protocol.Errors;

/** What an answer to a marker means for the partition, as in Kafka's coordinator. Immutable. */
enum MarkerVerdict {
    /** The partition has the marker, or can have none. */
    DONE,
    /** It may have it later, or with another broker. */
    AGAIN,
    /** Another coordinator or a newer producer has taken over: the transaction is not ours to end. */
    FENCED;

    static MarkerVerdict of(Errors error) {
        return switch (error) {
            case NONE, UNSUPPORTED_FOR_MESSAGE_FORMAT, UNSUPPORTED_VERSION -> DONE;
            case INVALID_PRODUCER_EPOCH, TRANSACTION_COORDINATOR_FENCED -> FENCED;
            default -> AGAIN;
        };
    }
}
