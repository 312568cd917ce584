package io.gregor.api.records;

import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.record.internal.BaseRecords;

/** Changes the records of single partitions; used by {@link EditedProduce}. */
@FunctionalInterface
public interface PartitionEdit {
    /**
     * Looks at the records of one partition. Called on the thread that calls {@link EditedProduce}.
     *
     * @param topic the topic: by name up to version 12 of Produce, by id from 13 on (KIP-516; {@code TopicNames} of
     *     {@code io.gregor.api} knows the name); not to be changed
     * @param partition the number of the partition, as the client sent it
     * @param records the records of the partition
     * @return what stands in their place, as {@link EditedRecords} makes it; the very same object to leave them
     */
    BaseRecords edit(TopicProduceData topic, int partition, BaseRecords records);
}
