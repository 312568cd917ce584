package io.gregor.broker.internal;

import io.gregor.internal.broker.ProducerIds;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.coordinator.transaction.ProducerIdManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands out producer ids from the blocks that Kafka's manager fetches. Shared: any thread. */
public final class ProducerIdBlocks implements ProducerIds {
    private static final Logger LOGGER = LoggerFactory.getLogger(ProducerIdBlocks.class);

    private final ProducerIdManager kafka;

    /** Ids of one manager. */
    public ProducerIdBlocks(ProducerIdManager kafka) {
        this.kafka = kafka;
    }

    /** Has the first block fetched, so that the first producer need not ask twice. Does not wait for it. */
    public void prefetch() {
        try {
            long unused = kafka.generateProducerId();
            LOGGER.debug("a producer id was left out: id={}", unused);
        } catch (Exception noBlockYet) {
            LOGGER.trace("the first block of producer ids is asked for", noBlockYet);
        }
    }

    @Override
    public long next() {
        try {
            return kafka.generateProducerId();
        } catch (KafkaException retriable) {
            throw retriable;
        } catch (Exception fault) {
            throw new KafkaException("no producer id could be generated", fault);
        }
    }
}
