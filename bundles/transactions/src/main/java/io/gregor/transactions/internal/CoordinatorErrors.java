package io.gregor.transactions.internal;

import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client is told of a fault, so that it asks the right broker again where that helps. Immutable. */
final class CoordinatorErrors {
    private static final Logger LOGGER = LoggerFactory.getLogger(CoordinatorErrors.class);

    private CoordinatorErrors() {}

    /** The error for a client; a fault that is none of the protocol is logged. */
    static Errors of(String transactionalId, Throwable fault) {
        Throwable cause = Errors.maybeUnwrapException(fault);
        return switch (Errors.forException(cause)) {
            case UNKNOWN_TOPIC_OR_PARTITION,
                    NOT_ENOUGH_REPLICAS,
                    NOT_ENOUGH_REPLICAS_AFTER_APPEND,
                    NETWORK_EXCEPTION,
                    REQUEST_TIMED_OUT -> Errors.COORDINATOR_NOT_AVAILABLE;
            case NOT_LEADER_OR_FOLLOWER, KAFKA_STORAGE_ERROR -> Errors.NOT_COORDINATOR;
            case UNKNOWN_SERVER_ERROR, MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE, CORRUPT_MESSAGE -> {
                LOGGER.error(
                        "the state of a transaction could not be changed: transactionalId={}", transactionalId, cause);
                yield Errors.UNKNOWN_SERVER_ERROR;
            }
            default -> Errors.forException(cause);
        };
    }
}
