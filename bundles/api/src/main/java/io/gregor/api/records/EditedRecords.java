package io.gregor.api.records;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes records inside of their batches, of a Produce request or of a Fetch response. The number of records never changes,
 * and a batch without a changed record stays as it is, byte by byte. Immutable.
 */
public final class EditedRecords {
    /** So many bytes may come out of one compressed batch, unless the caller says otherwise: 64 MiB. */
    public static final int DEFAULT_LIMIT_BYTES = 64 * 1024 * 1024;

    private EditedRecords() {}

    /**
     * Does what {@link #edit(BaseRecords, RecordEdit, int)} does, with {@link #DEFAULT_LIMIT_BYTES}.
     *
     * @param records as in a Produce request or a Fetch response, not null
     * @param edit sees each record
     * @return the very same object if no record was changed
     */
    public static BaseRecords edit(BaseRecords records, RecordEdit edit) {
        return edit(records, edit, DEFAULT_LIMIT_BYTES);
    }

    /**
     * Has each record looked at, and writes the batches again in which one was changed: with the codec of the original at its
     * default level, its offsets and timestamps, producer id, epoch and sequence numbers, leader epoch, and whether it belongs
     * to a transaction. Control batches are neither shown nor changed. A checksum that is wrong is never made right.
     *
     * <p>Any thread; blocks for as long as it decompresses, compresses, and reads from a file where the records are in one.
     * One record at a time is in memory besides what was changed. A batch at the end that is there in part only, as Fetch
     * responses may have it, is left out if something before it was changed.
     *
     * @param records as in a Produce request or a Fetch response, not null
     * @param edit sees each record; what it throws is passed on
     * @param limitBytes so many bytes may come out of one compressed batch, 1 or more
     * @return the very same object if no record was changed; else new records in memory
     * @throws org.apache.kafka.common.errors.CorruptRecordException if a batch cannot be read: for a Produce request, refuse
     *     it with this error
     * @throws org.apache.kafka.common.InvalidRecordException if a batch can be read but makes no sense, or one record alone is
     *     larger than {@code limitBytes}: the same
     * @throws org.apache.kafka.common.errors.RecordTooLargeException if more than {@code limitBytes} come out of a batch: the
     *     same, and the producer sends smaller ones
     * @throws org.apache.kafka.common.errors.UnsupportedForMessageFormatException if a batch is older than Kafka 0.11 (magic 0
     *     or 1), which only a Fetch response may have
     * @throws IllegalArgumentException if these are no records that can be read batch by batch, or the limit is not positive
     * @see <a href="https://kafka.apache.org/documentation/#recordbatch">Kafka documentation, Record Batch</a>
     */
    public static BaseRecords edit(BaseRecords records, RecordEdit edit, int limitBytes) {
        if (!(records instanceof Records all)) {
            throw new IllegalArgumentException("records cannot be read batch by batch: class="
                    + records.getClass().getName());
        }
        if (limitBytes < 1) {
            throw new IllegalArgumentException("limitBytes=" + limitBytes + " must be >= 1");
        }
        List<Part> parts = new ArrayList<>();
        boolean isChanged = false;
        try (BufferSupplier buffers = BufferSupplier.create()) {
            for (RecordBatch batch : all.batches()) {
                ByteBuffer rewritten = new BatchEdit(batch, edit, limitBytes, buffers).rewritten();
                parts.add(new Part(batch, rewritten));
                isChanged |= rewritten != null;
            }
        }
        return isChanged ? joined(parts) : records;
    }

    private static MemoryRecords joined(List<Part> parts) {
        ByteBuffer only = parts.get(0).rewritten();
        if (parts.size() == 1 && only != null) {
            return MemoryRecords.readableRecords(only);
        }
        ByteBuffer all =
                ByteBuffer.allocate(parts.stream().mapToInt(Part::sizeInBytes).reduce(0, Math::addExact));
        for (Part part : parts) {
            ByteBuffer rewritten = part.rewritten();
            if (rewritten == null) {
                part.batch().writeTo(all);
            } else {
                all.put(rewritten);
            }
        }
        return MemoryRecords.readableRecords(all.flip());
    }

    /** A batch, and what stands in its place; null if it stays. */
    private record Part(RecordBatch batch, @Nullable ByteBuffer rewritten) {
        int sizeInBytes() {
            return rewritten == null ? batch.sizeInBytes() : rewritten.remaining();
        }
    }
}
