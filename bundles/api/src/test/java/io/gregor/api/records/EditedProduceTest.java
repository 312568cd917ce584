package io.gregor.api.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.junit.jupiter.api.Test;

class EditedProduceTest {
    private static final Uuid FIRST = new Uuid(1, 1);
    private static final Uuid SECOND = new Uuid(2, 2);
    private static final MemoryRecords OTHER = records("other");
    private static final RawTaggedField TAG = new RawTaggedField(9, new byte[] {1});

    private final MemoryRecords a0 = records("a0");
    private final MemoryRecords a1 = records("a1");
    private final MemoryRecords b0 = records("b0");

    @Test
    void keepsTheVeryObjectIfNothingIsChanged() {
        ProduceRequest request = request();

        assertThat(EditedProduce.edit(request, (topic, partition, records) -> records))
                .isSameAs(request);
    }

    @Test
    void replacesSomeRecordsAndKeepsAllElse() {
        ProduceRequest request = request();
        request.data().unknownTaggedFields().add(TAG);
        request.data().topicData().find("", FIRST).unknownTaggedFields().add(TAG);
        ProduceRequestData expected = request().data();
        expected.unknownTaggedFields().add(TAG);
        expected.topicData().find("", FIRST).unknownTaggedFields().add(TAG);
        expected.topicData().find("", FIRST).partitionData().get(1).setRecords(OTHER);

        ProduceRequest edited = EditedProduce.edit(
                request,
                (topic, partition, records) -> topic.topicId().equals(FIRST) && partition == 1 ? OTHER : records);

        assertThat(edited.data()).isEqualTo(expected);
        assertThat(edited.version()).isEqualTo((short) 13);
        assertThat(edited.transactionalId()).isEqualTo("transfer");
        assertThat(records(edited, FIRST, 0)).isSameAs(a0);
        assertThat(records(edited, SECOND, 0)).isSameAs(b0);
    }

    @Test
    void leavesTheOriginalAsItWas() {
        ProduceRequest request = request();

        EditedProduce.edit(request, (topic, partition, records) -> OTHER);

        assertThat(request.data()).isEqualTo(request().data());
    }

    @Test
    void doesNotShowPartitionsWithoutRecords() {
        ProduceRequest request = request();
        request.data().topicData().find("", SECOND).partitionData().get(0).setRecords(null);

        ProduceRequest edited = EditedProduce.edit(request, (topic, partition, records) -> OTHER);

        assertThat(records(edited, SECOND, 0)).isNull();
        assertThat(records(edited, FIRST, 0)).isSameAs(OTHER);
    }

    @Test
    void keepsNamesOfOlderVersions() {
        ProduceRequestData data = new ProduceRequestData().setAcks((short) -1);
        data.topicData().add(new TopicProduceData().setName("orders").setPartitionData(List.of(partition(0, a0))));

        ProduceRequest edited =
                EditedProduce.edit(new ProduceRequest(data, (short) 9), (topic, partition, records) -> OTHER);

        assertThat(edited.data().topicData().find("orders", Uuid.ZERO_UUID)).isNotNull();
        assertThat(edited.version()).isEqualTo((short) 9);
    }

    private ProduceRequest request() {
        TopicProduceDataCollection topics = new TopicProduceDataCollection();
        topics.add(
                new TopicProduceData().setTopicId(FIRST).setPartitionData(List.of(partition(0, a0), partition(1, a1))));
        topics.add(new TopicProduceData().setTopicId(SECOND).setPartitionData(List.of(partition(0, b0))));
        ProduceRequestData data = new ProduceRequestData()
                .setTransactionalId("transfer")
                .setAcks((short) -1)
                .setTimeoutMs(30_000)
                .setTopicData(topics);
        return new ProduceRequest(data, (short) 13);
    }

    private static Object records(ProduceRequest request, Uuid topicId, int position) {
        return request.data()
                .topicData()
                .find("", topicId)
                .partitionData()
                .get(position)
                .records();
    }

    private static PartitionProduceData partition(int index, MemoryRecords records) {
        return new PartitionProduceData().setIndex(index).setRecords(records);
    }

    private static MemoryRecords records(String value) {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(1, value.getBytes(UTF_8)));
    }
}
