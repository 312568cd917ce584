package io.gregor.api.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EditedRecordsTest {
    private static final Header[] HEADERS = {new RecordHeader("trace", "7".getBytes(UTF_8))};
    private static final RecordEdit NOTHING = record -> null;
    /** Changes values that begin with "secret". */
    private static final RecordEdit MASK = record -> text(record.value()).startsWith("secret")
            ? new SimpleRecord(-1, record.key(), bytes("***"), HEADERS)
            : null;

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void keepsTheVeryObjectIfNothingIsChanged(CompressionType codec) {
        MemoryRecords records = batch(codec, 0, "one", "two");

        assertThat(EditedRecords.edit(records, NOTHING)).isSameAs(records);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void changesOneRecordAndKeepsTheOthers(CompressionType codec) {
        MemoryRecords records = batch(codec, 5, "one", "secret 2", "three", "secret 4");

        Records edited = edited(records);

        assertThat(values(edited)).containsExactly("one", "***", "three", "***");
        assertSameFrame(records, edited);
        assertThat(onlyBatch(edited).compressionType()).isEqualTo(codec);
        assertThat(recordsOf(edited).get(1).headers()).isEqualTo(HEADERS);
        assertThat(recordsOf(edited).get(0).headers())
                .isEqualTo(recordsOf(records).get(0).headers());
    }

    @Test
    void leavesTheOriginalAsItWas() {
        MemoryRecords records = batch(CompressionType.NONE, 0, "secret", "b");
        ByteBuffer before = copy(records.buffer());

        edited(records);

        assertThat(records.buffer()).isEqualTo(before);
    }

    @Test
    void growsWhenValuesGrow() {
        MemoryRecords records = batch(CompressionType.NONE, 0, "a", "b");
        String longer = "x".repeat(100_000);

        Records edited = (Records)
                EditedRecords.edit(records, record -> new SimpleRecord(0, record.key(), bytes(longer), HEADERS));

        assertThat(values(edited)).containsExactly(longer, longer);
        assertSameFrame(records, edited);
    }

    @Test
    void keepsNullKeysAndValues() {
        MemoryRecords records = MemoryRecords.withRecords(
                Compression.NONE,
                new SimpleRecord(1, null, "secret".getBytes(UTF_8)),
                new SimpleRecord(2, "key".getBytes(UTF_8), null));

        Records edited = (Records) EditedRecords.edit(
                records, record -> record.hasValue() ? new SimpleRecord(9, null, bytes("***"), HEADERS) : null);

        List<Record> after = recordsOf(edited);
        assertThat(after.get(0).hasKey()).isFalse();
        assertThat(after.get(1).hasValue()).isFalse();
        assertThat(text(after.get(1).key())).isEqualTo("key");
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void keepsWhatIdempotentProducersNeed(CompressionType codec) {
        MemoryRecords records = MemoryRecords.withIdempotentRecords(
                Compression.of(codec).build(), 4711, (short) 3, 17, simple("a", "secret"));

        Records edited = edited(records);

        assertSameFrame(records, edited);
        assertThat(onlyBatch(edited).producerId()).isEqualTo(4711);
        assertThat(recordsOf(edited).get(1).sequence()).isEqualTo(18);
    }

    @Test
    void keepsTransactions() {
        MemoryRecords records = MemoryRecords.withTransactionalRecords(
                Compression.gzip().build(), 4711, (short) 3, 17, simple("secret", "b"));

        Records edited = edited(records);

        assertSameFrame(records, edited);
        assertThat(onlyBatch(edited).isTransactional()).isTrue();
    }

    @Test
    void keepsTheTimeOfTheAppend() {
        MemoryRecords records = MemoryRecords.withRecords(
                RecordBatch.CURRENT_MAGIC_VALUE,
                3,
                Compression.NONE,
                TimestampType.LOG_APPEND_TIME,
                simple("secret", "b"));

        Records edited = edited(records);

        assertSameFrame(records, edited);
        assertThat(onlyBatch(edited).timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void copiesUntouchedBatchesByteByByte(CompressionType codec) {
        MemoryRecords first = batch(codec, 0, "one", "two");
        MemoryRecords second = batch(codec, 2, "secret");
        MemoryRecords third = batch(codec, 3, "four", "five");

        MemoryRecords edited = (MemoryRecords) edited(joined(first, second, third));

        assertThat(values(edited)).containsExactly("one", "two", "***", "four", "five");
        ByteBuffer bytes = edited.buffer();
        assertThat(bytes.slice(0, first.sizeInBytes())).isEqualTo(first.buffer());
        assertThat(bytes.slice(bytes.remaining() - third.sizeInBytes(), third.sizeInBytes()))
                .isEqualTo(third.buffer());
    }

    @Test
    void neitherShowsNorChangesControlBatches() {
        MemoryRecords data = MemoryRecords.withTransactionalRecords(
                0, Compression.NONE, 4711, (short) 3, 17, 5, new SimpleRecord("secret".getBytes(UTF_8)));
        MemoryRecords marker = MemoryRecords.withEndTransactionMarker(
                1, 1_000, 5, 4711, (short) 3, new EndTransactionMarker(ControlRecordType.COMMIT, 0));
        List<Long> seen = new ArrayList<>();

        MemoryRecords edited = (MemoryRecords) EditedRecords.edit(joined(data, marker), record -> {
            seen.add(record.offset());
            return MASK.edit(record);
        });

        assertThat(seen).containsExactly(0L);
        int markerAt = edited.sizeInBytes() - marker.sizeInBytes();
        assertThat(edited.buffer().slice(markerAt, marker.sizeInBytes())).isEqualTo(marker.buffer());
    }

    @Test
    void keepsTheGapsOfCompaction() {
        MemoryRecordsBuilder builder = builder(10, 2_000);
        builder.appendWithOffset(12, 1_500, "k".getBytes(UTF_8), "a".getBytes(UTF_8));
        builder.appendWithOffset(17, 1_400, "k".getBytes(UTF_8), "secret".getBytes(UTF_8));
        builder.overrideLastOffset(29);
        MemoryRecords records = builder.build();

        Records edited = edited(records);

        assertThat(values(edited)).containsExactly("a", "***");
        assertSameFrame(records, edited);
        assertThat(onlyBatch(edited).lastOffset()).isEqualTo(29);
        assertThat(onlyBatch(edited).deleteHorizonMs()).hasValue(2_000);
    }

    @Test
    void readsFilesAndLeavesThemWhereTheyAreIfNothingIsChanged(@TempDir Path directory) throws IOException {
        MemoryRecords first = batch(CompressionType.ZSTD, 0, "one", "two");
        MemoryRecords second = batch(CompressionType.NONE, 2, "secret");
        try (FileRecords file = FileRecords.open(directory.resolve("0.log").toFile())) {
            file.append(first);
            file.append(second);

            assertThat(EditedRecords.edit(file, NOTHING)).isSameAs(file);
            MemoryRecords edited = (MemoryRecords) edited(file);

            assertThat(values(edited)).containsExactly("one", "two", "***");
            assertThat(edited.buffer().slice(0, first.sizeInBytes())).isEqualTo(first.buffer());
        }
    }

    @Test
    void leavesAnIncompleteBatchOut() {
        MemoryRecords whole = batch(CompressionType.NONE, 0, "secret");
        MemoryRecords next = batch(CompressionType.NONE, 1, "secret");
        ByteBuffer bytes = joined(whole, next).buffer();
        bytes.limit(whole.sizeInBytes() + 20);

        assertThat(values(edited(MemoryRecords.readableRecords(bytes.slice())))).containsExactly("***");
    }

    @Test
    void doesNotMakeAWrongChecksumRight() {
        MemoryRecords records = batch(CompressionType.NONE, 0, "secret");
        ByteBuffer bytes = records.buffer();
        bytes.put(bytes.limit() - 3, (byte) 'X');

        assertThatThrownBy(() -> edited(records)).isInstanceOf(CorruptRecordException.class);
    }

    @Test
    void refusesToUnpackWithoutEnd() {
        String zeros = "0".repeat(10_000);
        MemoryRecords records = batch(CompressionType.GZIP, 0, zeros, zeros, zeros);

        assertThatThrownBy(() -> EditedRecords.edit(records, NOTHING, 25_000))
                .isInstanceOf(RecordTooLargeException.class)
                .hasMessageContaining("limitBytes=25000");
        assertThat(EditedRecords.edit(records, NOTHING, 31_000)).isSameAs(records);
    }

    @Test
    void believesNoLengthOfARecord() throws IOException {
        MemoryRecords records = promising(Integer.MAX_VALUE - 100);

        assertThatThrownBy(() -> EditedRecords.edit(records, NOTHING))
                .isInstanceOf(InvalidRecordException.class)
                .hasMessageContaining("2147483547");
    }

    @Test
    void saysThatOldFormatsCannotBeEdited() {
        MemoryRecords records = MemoryRecords.withRecords(
                RecordBatch.MAGIC_VALUE_V1, Compression.NONE, new SimpleRecord(1, "secret".getBytes(UTF_8)));

        assertThatThrownBy(() -> edited(records)).isInstanceOf(UnsupportedForMessageFormatException.class);
    }

    @Test
    void passesOnWhatTheEditThrows() {
        MemoryRecords records = batch(CompressionType.LZ4, 0, "one");
        IllegalStateException fault = new IllegalStateException("mine");

        assertThatThrownBy(() -> EditedRecords.edit(records, record -> {
                    throw fault;
                }))
                .isSameAs(fault);
    }

    private static Records edited(BaseRecords records) {
        BaseRecords edited = EditedRecords.edit(records, MASK);
        assertThat(edited).isNotSameAs(records);
        ((Records) edited).batches().forEach(RecordBatch::ensureValid);
        return (Records) edited;
    }

    /** All but the records' contents. */
    private static void assertSameFrame(Records before, Records after) {
        RecordBatch one = onlyBatch(before);
        RecordBatch other = onlyBatch(after);
        assertThat(frame(other)).isEqualTo(frame(one));
        assertThat(recordsOf(after).stream().map(EditedRecordsTest::place).toList())
                .isEqualTo(
                        recordsOf(before).stream().map(EditedRecordsTest::place).toList());
    }

    private static List<Object> frame(RecordBatch batch) {
        return List.of(
                batch.magic(),
                batch.baseOffset(),
                batch.lastOffset(),
                batch.countOrNull(),
                batch.compressionType(),
                batch.timestampType(),
                batch.maxTimestamp(),
                batch.deleteHorizonMs(),
                batch.producerId(),
                batch.producerEpoch(),
                batch.baseSequence(),
                batch.lastSequence(),
                batch.isTransactional(),
                batch.isControlBatch(),
                batch.partitionLeaderEpoch());
    }

    private static List<Object> place(Record record) {
        return List.of(record.offset(), record.timestamp(), record.sequence(), text(record.key()));
    }

    private static RecordBatch onlyBatch(Records records) {
        List<RecordBatch> batches = new ArrayList<>();
        records.batches().forEach(batches::add);
        assertThat(batches).hasSize(1);
        return batches.get(0);
    }

    private static List<Record> recordsOf(Records records) {
        List<Record> all = new ArrayList<>();
        records.records().forEach(all::add);
        return all;
    }

    private static List<String> values(Records records) {
        return recordsOf(records).stream().map(record -> text(record.value())).toList();
    }

    private static MemoryRecords batch(CompressionType codec, long baseOffset, String... values) {
        return MemoryRecords.withRecords(baseOffset, Compression.of(codec).build(), 5, simple(values));
    }

    private static SimpleRecord[] simple(String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            Header[] headers = {new RecordHeader("n", new byte[] {(byte) i})};
            records[i] = new SimpleRecord(1_000 + i, bytes("k" + i), bytes(values[i]), headers);
        }
        return records;
    }

    private static MemoryRecordsBuilder builder(long baseOffset, long deleteHorizonMs) {
        return new MemoryRecordsBuilder(
                new ByteBufferOutputStream(512),
                RecordBatch.CURRENT_MAGIC_VALUE,
                Compression.zstd().build(),
                TimestampType.CREATE_TIME,
                baseOffset,
                RecordBatch.NO_TIMESTAMP,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_SEQUENCE,
                false,
                false,
                5,
                512,
                deleteHorizonMs);
    }

    /** A compressed batch whose only record says that it has so many bytes. */
    private static MemoryRecords promising(int bytes) throws IOException {
        ByteBufferOutputStream body = new ByteBufferOutputStream(64);
        try (var compressed = new DataOutputStream(Compression.gzip().build().wrapForOutput(body, (byte) 2))) {
            ByteUtils.writeVarint(bytes, compressed);
            compressed.writeLong(0);
        }
        ByteBuffer frame = copy(batch(CompressionType.GZIP, 0, "one").buffer());
        int header = 61;
        ByteBuffer whole = ByteBuffer.allocate(header + body.position());
        whole.put(frame.slice(0, header)).put(body.buffer().flip()).flip();
        whole.putInt(8, whole.limit() - 12);
        whole.putInt(17, crc(whole));
        return MemoryRecords.readableRecords(whole);
    }

    /** Of all that follows the checksum. */
    private static int crc(ByteBuffer batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch.slice(21, batch.limit() - 21));
        return (int) crc.getValue();
    }

    private static MemoryRecords joined(MemoryRecords... parts) {
        int size = 0;
        for (MemoryRecords part : parts) {
            size += part.sizeInBytes();
        }
        ByteBuffer all = ByteBuffer.allocate(size);
        for (MemoryRecords part : parts) {
            all.put(part.buffer());
        }
        return MemoryRecords.readableRecords(all.flip());
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
        return copy.put(bytes.duplicate()).flip();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private static String text(ByteBuffer bytes) {
        return UTF_8.decode(bytes).toString();
    }
}
