package io.gregor.broker.internal;

import io.gregor.internal.broker.ProducerIds;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.coordinator.transaction.ProducerIdManager;

/** Hands out producer ids from the blocks that Kafka's manager fetches. Shared: any thread. */
public final class ProducerIdBlocks implements ProducerIds {
    private final ProducerIdManager kafka;

    /** Ids of one manager. */
    public ProducerIdBlocks(ProducerIdManager kafka) {
        this.kafka = kafka;
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
