package io.gregor.itest.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.utils.internals.Crc32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches that no client of Kafka's would send, and what Kafka 4.4.0 says to each of them. */
class BadBatchesAreRefusedIT {
    private static final short VERSION = 12;
    private static final int BASE_OFFSET = 0;
    private static final int LENGTH = 8;
    private static final int MAGIC = 16;
    private static final int CRC = 17;
    private static final int ATTRIBUTES = 21;
    private static final int LAST_OFFSET_DELTA = 23;
    private static final int BASE_SEQUENCE = 53;
    private static final int COUNT = 57;
    private static final int RECORDS = 61;
    private static final long PRODUCER = 4_711;
    private static final String NO_KEY = "Compacted topic cannot accept message without key in topic partition keyed-0";

    @TempDir
    static Path home;

    private static GregorProcess node;

    private final Map<String, String> wanted = new LinkedHashMap<>();
    private final Map<String, String> answered = new LinkedHashMap<>();

    @BeforeAll
    static void start() throws Exception {
        node = GregorProcess.start(home);
        DataClients clients = new DataClients(node);
        clients.create("plain", 1, Map.of());
        clients.create("keyed", 1, Map.of("cleanup.policy", "compact"));
        clients.create("small", 1, Map.of("max.message.bytes", "500"));
        clients.create("timely", 1, Map.of("message.timestamp.before.max.ms", "1000"));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void eachGetsItsErrorAndTheNodeGoesOn() throws Exception {
        try (RawClient client = RawClient.connect(node.port())) {
            headers(client);
            contents(client);
            topics(client);
            sequences(client);
        }
        assertThat(answered).isEqualTo(wanted);
        assertThat(node.logText()).doesNotContain("ERROR");
    }

    private void headers(RawClient client) throws Exception {
        check(client, "wrong crc", "plain", with(two(), CRC, 1), "CORRUPT_MESSAGE");
        check(client, "magic 0", "plain", old((byte) 0), "INVALID_RECORD");
        check(client, "magic 1", "plain", old((byte) 1), "INVALID_RECORD");
        ByteBuffer magic = two();
        magic.put(MAGIC, (byte) 3);
        check(client, "magic 3", "plain", magic, "CORRUPT_MESSAGE Invalid magic found in record: 3");
        check(
                client,
                "size 3",
                "plain",
                with(two(), LENGTH, 3),
                "CORRUPT_MESSAGE Record size 3 is less than the minimum record overhead (14)");
        check(client, "size beyond the end", "plain", with(two(), LENGTH, 1 << 30), "INVALID_RECORD");
        check(client, "base offset", "plain", with(two(), BASE_OFFSET, 1), "INVALID_RECORD");
        check(client, "count 3 of 2", "plain", checked(with(two(), COUNT, 3)), "INVALID_RECORD");
        check(client, "count -1", "plain", checked(with(two(), COUNT, -1)), "INVALID_RECORD");
        check(client, "last offset", "plain", checked(with(two(), LAST_OFFSET_DELTA, 5)), "INVALID_RECORD");
        check(client, "control batch", "plain", attributes(0x20), "INVALID_RECORD");
        check(client, "codec 5", "plain", attributes(5), "UNKNOWN_SERVER_ERROR");
        check(client, "zstd that is none", "plain", attributes(4), "UNKNOWN_SERVER_ERROR");
        check(client, "transactional", "plain", attributes(0x10), "TRANSACTIONAL_ID_AUTHORIZATION_FAILED");
    }

    private void contents(RawClient client) throws Exception {
        Compression gzip = Compression.gzip().build();
        ByteBuffer more = batch(gzip, record("k", "v"), record("k", "w"));
        check(client, "gzip count", "plain", checked(with(more, COUNT, 3)), "INVALID_RECORD");
        ByteBuffer rubbish = batch(gzip, record("k", "v"));
        rubbish.put(RECORDS + 2, (byte) 9);
        check(client, "gzip rubbish", "plain", checked(rubbish), "UNKNOWN_SERVER_ERROR");
        ByteBuffer length = two();
        length.put(RECORDS, (byte) 0x7e);
        check(client, "record length", "plain", checked(length), "INVALID_RECORD");
        ByteBuffer both = ByteBuffer.allocate(2 * two().remaining());
        check(client, "two batches", "plain", both.put(two()).put(two()).flip(), "INVALID_RECORD");
        check(client, "nothing", "plain", ByteBuffer.allocate(0), "INVALID_RECORD");
        check(client, "null", "plain", null, "INVALID_RECORD");
        check(client, "good", "plain", two(), "NONE");
    }

    private void topics(RawClient client) throws Exception {
        String rejected =
                "INVALID_RECORD One or more records have been rejected due to %d record errors in total, and only"
                        + " showing the first three errors at most: [";
        check(client, "too large", "small", batch(Compression.NONE, record("k", "x".repeat(600))), "MESSAGE_TOO_LARGE");
        check(
                client,
                "no key",
                "keyed",
                batch(Compression.NONE, record("k", "v"), record(null, "v")),
                rejected.formatted(1) + "...] 1: " + NO_KEY);
        long now = System.currentTimeMillis();
        SimpleRecord old = new SimpleRecord(now - 1_000_000, new byte[0]);
        check(
                client,
                "too old",
                "timely",
                batch(Compression.NONE, old),
                "INVALID_TIMESTAMP One or more records have been rejected due to invalid timestamp 0: Timestamp N of"
                        + " message with offset 0 is out of range. The timestamp should be within [N, N]");
    }

    private void sequences(RawClient client) throws Exception {
        check(client, "sequence 0", "plain", idempotent(0, 0), "NONE");
        check(client, "sequence 0 again", "plain", idempotent(0, 0), "NONE");
        check(client, "a gap", "plain", idempotent(0, 5), "OUT_OF_ORDER_SEQUENCE_NUMBER");
        check(client, "next epoch, not from 0", "plain", idempotent(1, 3), "OUT_OF_ORDER_SEQUENCE_NUMBER");
        check(client, "next epoch", "plain", idempotent(1, 0), "NONE");
        check(client, "an old epoch", "plain", idempotent(0, 1), "INVALID_PRODUCER_EPOCH");
        ByteBuffer without = checked(with(idempotent(1, 1), BASE_SEQUENCE, -1));
        check(client, "no sequence", "plain", without, "INVALID_RECORD");
    }

    private void check(RawClient client, String name, String topic, ByteBuffer records, String answer)
            throws Exception {
        ProduceRequestData produce =
                new ProduceRequestData().setAcks((short) -1).setTimeoutMs(10_000);
        produce.topicData()
                .add(new TopicProduceData()
                        .setName(topic)
                        .setPartitionData(List.of(new PartitionProduceData()
                                .setRecords(records == null ? null : MemoryRecords.readableRecords(records)))));
        client.send(new ProduceRequest(produce, VERSION), wanted.size());
        ProduceResponse response = (ProduceResponse) client.receive(ApiKeys.PRODUCE, VERSION, wanted.size());
        wanted.put(name, answer);
        answered.put(
                name,
                text(response.data()
                        .responses()
                        .iterator()
                        .next()
                        .partitionResponses()
                        .get(0)));
    }

    private static String text(PartitionProduceResponse response) {
        StringBuilder text =
                new StringBuilder(Errors.forCode(response.errorCode()).name());
        if (response.errorMessage() != null) {
            text.append(' ').append(response.errorMessage().replaceAll("\\[.*]", "[...]"));
        }
        for (BatchIndexAndErrorMessage error : response.recordErrors()) {
            text.append(' ').append(error.batchIndex()).append(": ").append(error.batchIndexErrorMessage());
        }
        return text.toString().replaceAll("\\d{13}", "N");
    }

    private static SimpleRecord record(String key, String value) {
        return new SimpleRecord(
                System.currentTimeMillis(),
                key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuffer batch(Compression compression, SimpleRecord... records) {
        return MemoryRecords.withRecords(compression, records).buffer();
    }

    private static ByteBuffer two() {
        return batch(Compression.NONE, record("k", "v"), record("k", "w"));
    }

    private static ByteBuffer old(byte magic) {
        return MemoryRecords.withRecords(magic, Compression.NONE, new SimpleRecord(-1, new byte[0]))
                .buffer();
    }

    private static ByteBuffer idempotent(int epoch, int sequence) {
        return MemoryRecords.withIdempotentRecords(
                        Compression.NONE, PRODUCER, (short) epoch, sequence, record("k", "v"))
                .buffer();
    }

    private static ByteBuffer with(ByteBuffer batch, int position, int value) {
        batch.putInt(position, value);
        return batch;
    }

    private static ByteBuffer attributes(int attributes) {
        ByteBuffer batch = two();
        batch.putShort(ATTRIBUTES, (short) attributes);
        return checked(batch);
    }

    private static ByteBuffer checked(ByteBuffer batch) {
        return with(batch, CRC, (int) Crc32C.compute(batch, ATTRIBUTES, batch.limit() - ATTRIBUTES));
    }
}
