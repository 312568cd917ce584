package io.gregor.api.records;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.requests.ProduceRequest;

/** Puts other records into a Produce request, partition by partition. Immutable. */
public final class EditedProduce {
    private EditedProduce() {}

    /**
     * Has the records of each partition looked at, and makes a new request if some were changed. The records of the other
     * partitions stay where they are, in the receive buffer; everything else is as in the original. The original is not
     * changed. Any thread; blocks for as long as {@code edit} does.
     *
     * @param request the request, with its records
     * @param edit sees the records of each partition that has some; what it throws is passed on
     * @return the very same object if no records were changed; else a request of the same version
     * @throws IllegalStateException if the request's records were cleared
     * @see <a href="https://kafka.apache.org/protocol#The_Messages_Produce">Kafka protocol, Produce</a>
     */
    public static ProduceRequest edit(ProduceRequest request, PartitionEdit edit) {
        ProduceRequestData data = request.data();
        TopicProduceDataCollection topics =
                new TopicProduceDataCollection(data.topicData().size());
        boolean isChanged = false;
        for (TopicProduceData topic : data.topicData()) {
            List<PartitionProduceData> partitions = edited(topic, edit);
            isChanged |= partitions != topic.partitionData();
            topics.mustAdd(withPartitions(topic, partitions));
        }
        return isChanged ? new ProduceRequest(withTopics(data, topics), request.version()) : request;
    }

    /** The very same list if nothing was changed. */
    private static List<PartitionProduceData> edited(TopicProduceData topic, PartitionEdit edit) {
        List<PartitionProduceData> partitions = topic.partitionData();
        List<PartitionProduceData> edited = new ArrayList<>(partitions);
        boolean isChanged = false;
        for (int i = 0; i < edited.size(); i++) {
            PartitionProduceData partition = edited.get(i);
            BaseRecords records = partition.records();
            if (records != null) {
                BaseRecords after = edit.edit(topic, partition.index(), records);
                if (after != records) {
                    edited.set(i, withRecords(partition, after));
                    isChanged = true;
                }
            }
        }
        return isChanged ? edited : partitions;
    }

    private static PartitionProduceData withRecords(PartitionProduceData partition, BaseRecords records) {
        PartitionProduceData copy =
                new PartitionProduceData().setIndex(partition.index()).setRecords(records);
        copy.unknownTaggedFields().addAll(partition.unknownTaggedFields());
        return copy;
    }

    /** A copy in any case: a topic belongs to one collection only. */
    private static TopicProduceData withPartitions(TopicProduceData topic, List<PartitionProduceData> partitions) {
        TopicProduceData copy = new TopicProduceData()
                .setName(topic.name())
                .setTopicId(topic.topicId())
                .setPartitionData(partitions);
        copy.unknownTaggedFields().addAll(topic.unknownTaggedFields());
        return copy;
    }

    private static ProduceRequestData withTopics(ProduceRequestData data, TopicProduceDataCollection topics) {
        ProduceRequestData copy = new ProduceRequestData()
                .setTransactionalId(data.transactionalId())
                .setAcks(data.acks())
                .setTimeoutMs(data.timeoutMs())
                .setTopicData(topics);
        copy.unknownTaggedFields().addAll(data.unknownTaggedFields());
        return copy;
    }
}
