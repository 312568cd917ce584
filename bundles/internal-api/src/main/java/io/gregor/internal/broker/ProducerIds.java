package io.gregor.internal.broker;

/** Hands out ids of idempotent producers, in blocks from the controller. A service of the broker bundle. Any thread. */
public interface ProducerIds {
    /**
     * The next id.
     *
     * @throws org.apache.kafka.common.errors.CoordinatorLoadInProgressException while a block is under way: retry
     */
    long next();
}
