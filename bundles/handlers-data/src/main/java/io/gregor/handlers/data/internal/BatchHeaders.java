package io.gregor.handlers.data.internal;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Looks at the headers of record batches where they lie, without making objects of them. Immutable. */
public final class BatchHeaders {
    private static final int LENGTH_OFFSET = 8;
    private static final int LENGTH_END = 12;
    private static final int MAGIC_OFFSET = 16;
    private static final int ATTRIBUTES_OFFSET = 21;
    private static final int ATTRIBUTES_END = 23;
    private static final int TRANSACTIONAL_BIT = 0x10;

    private BatchHeaders() {}

    /** Whether any batch belongs to a transaction. Bytes that are no batches end the search: they are refused later. */
    public static boolean anyTransactional(BaseRecords records) {
        if (!(records instanceof MemoryRecords batches)) {
            return false;
        }
        ByteBuffer bytes = batches.buffer();
        int position = bytes.position();
        while (bytes.limit() - position >= ATTRIBUTES_END) {
            if (bytes.get(position + MAGIC_OFFSET) >= RecordBatch.MAGIC_VALUE_V2
                    && (bytes.getShort(position + ATTRIBUTES_OFFSET) & TRANSACTIONAL_BIT) != 0) {
                return true;
            }
            int length = bytes.getInt(position + LENGTH_OFFSET);
            if (length < ATTRIBUTES_END - LENGTH_END || length > bytes.limit() - position - LENGTH_END) {
                return false;
            }
            position += LENGTH_END + length;
        }
        return false;
    }
}
