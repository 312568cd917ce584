package io.gregor.replication.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Records;

/** Room for records between two logs, kept and as large as the largest so far. Owned by a copying thread. */
final class CopyBuffer {
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    /** The records in memory; valid until the next call. */
    MemoryRecords load(Records records) throws IOException {
        if (records instanceof MemoryRecords inMemory) {
            return inMemory;
        }
        int size = records.sizeInBytes();
        if (bytes.capacity() < size) {
            bytes = ByteBuffer.allocate(size);
        }
        bytes.clear().limit(size);
        ((FileRecords) records).readInto(bytes, 0);
        return MemoryRecords.readableRecords(bytes);
    }
}
