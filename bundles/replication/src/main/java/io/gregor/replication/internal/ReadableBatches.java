package io.gregor.replication.internal;

import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.CloseableIterator;

/** Tells whose fault a failed append is: batches that nobody could read are their sender's. Immutable. */
final class ReadableBatches {
    private ReadableBatches() {}

    /** Whether every record can be read; decompresses, so only for when something has failed already. */
    static boolean areReadable(MemoryRecords records) {
        try {
            for (MutableRecordBatch batch : records.batches()) {
                batch.ensureValid();
                try (CloseableIterator<Record> all = batch.skipKeyValueIterator(BufferSupplier.NO_CACHING)) {
                    all.forEachRemaining(record -> {});
                }
            }
            return true;
        } catch (RuntimeException unreadable) {
            return false;
        }
    }
}
