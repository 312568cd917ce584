package io.gregor.example.masking;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gregor.api.RequestFilter;
import io.gregor.testing.FakeFilteredRequest;
import io.gregor.testing.FakeNodeSettings;
import io.gregor.testing.RequestFilterContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;

class MaskingFilterContractTest extends RequestFilterContract {
    private static final short NAMES = 12;

    @Override
    protected RequestFilter filter() {
        return new MaskingFilter(
                new FakeNodeSettings(Map.of(MaskingRules.FIELDS, "email")), topicId -> Optional.empty());
    }

    @Override
    protected List<FakeFilteredRequest> requests() {
        return List.of(produce("{\"email\":\"a@b.c\"}"), produce("text"));
    }

    private static FakeFilteredRequest produce(String value) {
        PartitionProduceData partition = new PartitionProduceData()
                .setRecords(
                        MemoryRecords.withRecords(Compression.gzip().build(), new SimpleRecord(value.getBytes(UTF_8))));
        ProduceRequestData data = new ProduceRequestData().setAcks((short) 1);
        data.topicData().add(new TopicProduceData().setName("orders").setPartitionData(List.of(partition)));
        return new FakeFilteredRequest(new ProduceRequest(data, NAMES));
    }
}
