package io.gregor.handlers.data.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

class BatchHeadersTest {
    private static final SimpleRecord RECORD = new SimpleRecord("v".getBytes(UTF_8));
    private static final MemoryRecords PLAIN =
            MemoryRecords.withRecords(Compression.gzip().build(), RECORD);
    private static final MemoryRecords TRANSACTIONAL =
            MemoryRecords.withTransactionalRecords(Compression.NONE, 9, (short) 0, 0, RECORD);

    @Test
    void findsATransactionInAnyBatch() {
        assertThat(BatchHeaders.anyTransactional(PLAIN)).isFalse();
        assertThat(BatchHeaders.anyTransactional(TRANSACTIONAL)).isTrue();
        assertThat(BatchHeaders.anyTransactional(join(PLAIN, TRANSACTIONAL))).isTrue();
        assertThat(BatchHeaders.anyTransactional(join(PLAIN, PLAIN))).isFalse();
    }

    @Test
    void looksOnlyBetweenPositionAndLimit() {
        ByteBuffer both = join(TRANSACTIONAL, PLAIN).buffer();
        both.position(TRANSACTIONAL.sizeInBytes());

        assertThat(BatchHeaders.anyTransactional(MemoryRecords.readableRecords(both.slice())))
                .isFalse();
    }

    @Test
    void bytesThatAreNoBatchesEndTheSearch() {
        for (int length : new int[] {Integer.MIN_VALUE, -12, 0, 10, 1000, Integer.MAX_VALUE}) {
            ByteBuffer bytes = ByteBuffer.allocate(100).putInt(8, length);

            assertThat(BatchHeaders.anyTransactional(MemoryRecords.readableRecords(bytes)))
                    .isFalse();
        }
        assertThat(BatchHeaders.anyTransactional(MemoryRecords.EMPTY)).isFalse();
    }

    private static MemoryRecords join(MemoryRecords first, MemoryRecords second) {
        ByteBuffer both = ByteBuffer.allocate(first.sizeInBytes() + second.sizeInBytes());
        both.put(first.buffer().duplicate()).put(second.buffer().duplicate()).flip();
        return MemoryRecords.readableRecords(both);
    }
}
