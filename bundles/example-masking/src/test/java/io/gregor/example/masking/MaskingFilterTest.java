package io.gregor.example.masking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.testing.FakeFilteredRequest;
import io.gregor.testing.FakeNodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MaskingFilterTest {
    private static final Uuid ORDERS = new Uuid(1, 1);
    private static final Uuid LOGS = new Uuid(2, 2);
    private static final Map<Uuid, String> NAMES = Map.of(ORDERS, "orders", LOGS, "logs");
    private static final String OPEN = "{\"id\":1,\"email\":\"a@b.c\"}";
    private static final String MASKED = "{\"id\":1,\"email\":\"***\"}";

    private final FakeNodeSettings settings =
            new FakeNodeSettings(Map.of(MaskingRules.TOPICS, "orders.*", MaskingRules.FIELDS, "email"));
    private final MaskingFilter filter =
            new MaskingFilter(settings, topicId -> Optional.ofNullable(NAMES.get(topicId)));

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void masksRecordsOfEveryCodec(CompressionType codec) {
        FakeFilteredRequest request = produce(topic(ORDERS, records(codec, OPEN, "text", OPEN)));

        filter.filterRequest(request);

        assertThat(request.isReplaced()).isTrue();
        assertThat(values(request, ORDERS)).containsExactly(MASKED, "text", MASKED);
    }

    @Test
    void leavesRequestsAloneThatHaveNothingToMask() {
        FakeFilteredRequest request = produce(topic(ORDERS, records(CompressionType.GZIP, "{\"id\":1}", "text")));

        filter.filterRequest(request);

        assertThat(request.hasPassed()).isTrue();
    }

    @Test
    void leavesOtherTopicsAlone() {
        FakeFilteredRequest request = produce(
                topic(ORDERS, records(CompressionType.NONE, OPEN)), topic(LOGS, records(CompressionType.NONE, OPEN)));

        filter.filterRequest(request);

        assertThat(values(request, ORDERS)).containsExactly(MASKED);
        assertThat(values(request, LOGS)).containsExactly(OPEN);
    }

    @Test
    void knowsTopicsByNameInOlderVersions() {
        ProduceRequestData data = data();
        data.topicData()
                .add(new TopicProduceData()
                        .setName("orders-eu")
                        .setPartitionData(List.of(partition(records(CompressionType.NONE, OPEN)))));
        FakeFilteredRequest request = new FakeFilteredRequest(new ProduceRequest(data, (short) 12));

        filter.filterRequest(request);

        assertThat(request.isReplaced()).isTrue();
    }

    @Test
    void keepsKeysHeadersAndTombstones() {
        MemoryRecords records = MemoryRecords.withRecords(
                Compression.NONE,
                new SimpleRecord(5, OPEN.getBytes(UTF_8), null),
                new SimpleRecord(6, null, bytes(OPEN)));
        FakeFilteredRequest request = produce(topic(ORDERS, records));

        filter.filterRequest(request);

        List<Record> after = recordsOf(request, ORDERS);
        assertThat(after.get(0).hasValue()).isFalse();
        assertThat(UTF_8.decode(after.get(0).key()).toString()).isEqualTo(OPEN);
        assertThat(after.get(1).hasKey()).isFalse();
        assertThat(after.get(1).timestamp()).isEqualTo(6);
    }

    @Test
    void masksByNewSettingsFromTheNextRequestOn() {
        settings.set(MaskingRules.FIELDS, "id");
        FakeFilteredRequest request = produce(topic(ORDERS, records(CompressionType.NONE, OPEN)));

        filter.filterRequest(request);

        assertThat(values(request, ORDERS)).containsExactly("{\"id\":\"***\",\"email\":\"a@b.c\"}");
    }

    @Test
    void masksByTheFormerSettingsIfNewOnesAreWrong() {
        assertThatThrownBy(() -> settings.set(MaskingRules.FIELDS, ",")).isInstanceOf(ConfigException.class);
        FakeFilteredRequest request = produce(topic(ORDERS, records(CompressionType.NONE, OPEN)));

        filter.filterRequest(request);

        assertThat(values(request, ORDERS)).containsExactly(MASKED);
    }

    @Test
    void hasTheProducerTryAgainWithATopicThatTheBrokerDoesNotKnowYet() {
        FakeFilteredRequest request = produce(topic(new Uuid(3, 3), records(CompressionType.NONE, OPEN)));

        filter.filterRequest(request);

        assertThat(request.refusal()).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    }

    @Test
    void refusesWhatItCannotRead() {
        MemoryRecords records = records(CompressionType.NONE, OPEN);
        records.buffer().put(records.sizeInBytes() - 4, (byte) 'X');
        FakeFilteredRequest request = produce(topic(ORDERS, records));

        filter.filterRequest(request);

        assertThat(request.refusal()).isEqualTo(Errors.CORRUPT_MESSAGE);
    }

    @Test
    void givesItsSettingsUpWhenItStops() {
        filter.stop();

        assertThat(settings.isOwned()).isFalse();
    }

    private static FakeFilteredRequest produce(TopicProduceData... topics) {
        ProduceRequestData data = data();
        for (TopicProduceData topic : topics) {
            data.topicData().add(topic);
        }
        return new FakeFilteredRequest(new ProduceRequest(data, (short) 13));
    }

    private static ProduceRequestData data() {
        return new ProduceRequestData().setAcks((short) -1).setTimeoutMs(1_000);
    }

    private static TopicProduceData topic(Uuid topicId, MemoryRecords records) {
        return new TopicProduceData().setTopicId(topicId).setPartitionData(List.of(partition(records)));
    }

    private static PartitionProduceData partition(MemoryRecords records) {
        return new PartitionProduceData().setIndex(0).setRecords(records);
    }

    private static MemoryRecords records(CompressionType codec, String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(i, null, bytes(values[i]));
        }
        return MemoryRecords.withRecords(Compression.of(codec).build(), records);
    }

    private static List<Record> recordsOf(FakeFilteredRequest request, Uuid topicId) {
        List<Record> all = new ArrayList<>();
        ((MemoryRecords) request.body(ProduceRequest.class)
                        .data()
                        .topicData()
                        .find("", topicId)
                        .partitionData()
                        .get(0)
                        .records())
                .records()
                .forEach(all::add);
        return all;
    }

    private static List<String> values(FakeFilteredRequest request, Uuid topicId) {
        return recordsOf(request, topicId).stream()
                .map(record -> UTF_8.decode(record.value()).toString())
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
