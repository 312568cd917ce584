package io.gregor.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.internals.Crc32C;
import org.junit.jupiter.api.Test;

class ReadableBatchesTest {
    private static final int CRC = 17;
    private static final int ATTRIBUTES = 21;
    private static final int RECORDS = 61;

    @Test
    void whatCanBeReadIsReadable() {
        assertThat(ReadableBatches.areReadable(MemoryRecords.EMPTY)).isTrue();
        assertThat(ReadableBatches.areReadable(gzipped())).isTrue();
    }

    @Test
    void rubbishAndUnknownCodecsAreTheSendersFault() {
        ByteBuffer rubbish = gzipped().buffer();
        rubbish.put(RECORDS + 1, (byte) 9);
        ByteBuffer unknown = gzipped().buffer();
        unknown.putShort(ATTRIBUTES, (short) 5);

        assertThat(ReadableBatches.areReadable(checked(rubbish))).isFalse();
        assertThat(ReadableBatches.areReadable(checked(unknown))).isFalse();
    }

    private static MemoryRecords gzipped() {
        return MemoryRecords.withRecords(
                Compression.gzip().build(), new SimpleRecord("value".getBytes(StandardCharsets.UTF_8)));
    }

    private static MemoryRecords checked(ByteBuffer bytes) {
        int begin = ATTRIBUTES;
        bytes.putInt(CRC, (int) Crc32C.compute(bytes, begin, bytes.limit() - begin));
        return MemoryRecords.readableRecords(bytes);
    }
}
