package io.gregor.api.records;

import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way through a {@link RecordEdit}: read record by record, and from the first changed record on written to a
 * new batch, for which the records before that one are read a second time. So no more than one record is held. Owned by the
 * thread of the call.
 */
final class BatchEdit {
    /** What a few longer values may take more than before without another buffer. */
    private static final int ROOM_BYTES = 512;

    private final RecordBatch batch;
    private final RecordEdit edit;
    private final int limitBytes;
    private final BufferSupplier buffers;
    private @Nullable MemoryRecordsBuilder builder;

    BatchEdit(RecordBatch batch, RecordEdit edit, int limitBytes, BufferSupplier buffers) {
        this.batch = batch;
        this.edit = edit;
        this.limitBytes = limitBytes;
        this.buffers = buffers;
    }

    /** The bytes of the batch with its changes; null if there are none. */
    @Nullable
    ByteBuffer rewritten() {
        if (batch.magic() < RecordBatch.MAGIC_VALUE_V2) {
            throw new UnsupportedForMessageFormatException(
                    "records of this format cannot be edited: magic=" + batch.magic() + ", the oldest is 2");
        }
        if (batch.isControlBatch()) {
            return null;
        }
        batch.ensureValid();
        try (CloseableIterator<Record> records = records()) {
            edit(records);
            return builder == null ? null : finished(builder);
        } finally {
            if (builder != null) {
                builder.closeForRecordAppends();
            }
        }
    }

    private void edit(CloseableIterator<Record> records) {
        long bytes = 0;
        for (int index = 0; hasNext(records); index++) {
            Record record = records.next();
            bytes += record.sizeInBytes();
            if (batch.isCompressed() && bytes > limitBytes) {
                throw new RecordTooLargeException("batch too large to be edited: decompressedBytes=" + bytes
                        + " limitBytes=" + limitBytes + " sizeBytes=" + batch.sizeInBytes());
            }
            SimpleRecord edited = edit.edit(record);
            if (edited != null && builder == null) {
                builder = begun();
                copyFirst(index, builder);
            }
            if (builder != null) {
                append(builder, record, edited);
            }
        }
    }

    private void copyFirst(int count, MemoryRecordsBuilder to) {
        try (CloseableIterator<Record> records = records()) {
            for (int index = 0; index < count && hasNext(records); index++) {
                Record record = records.next();
                append(to, record, null);
            }
        }
    }

    private static void append(MemoryRecordsBuilder to, Record record, @Nullable SimpleRecord edited) {
        try {
            to.appendWithOffset(
                    record.offset(),
                    record.timestamp(),
                    edited == null ? record.key() : edited.key(),
                    edited == null ? record.value() : edited.value(),
                    edited == null ? record.headers() : edited.headers());
        } catch (IllegalArgumentException senseless) {
            throw new InvalidRecordException(
                    "record makes no sense: offset=" + record.offset() + " timestamp=" + record.timestamp(), senseless);
        }
    }

    private CloseableIterator<Record> records() {
        try {
            return batch.streamingIterator(buffers, limitBytes);
        } catch (ApiException known) {
            throw known;
        } catch (RuntimeException unreadable) {
            throw corrupt(unreadable);
        }
    }

    /** It is here that the next record is read. */
    private boolean hasNext(CloseableIterator<Record> records) {
        try {
            return records.hasNext();
        } catch (ApiException known) {
            throw known;
        } catch (RuntimeException unreadable) {
            throw corrupt(unreadable);
        }
    }

    private CorruptRecordException corrupt(RuntimeException unreadable) {
        return new CorruptRecordException(
                "batch cannot be read: baseOffset=" + batch.baseOffset() + " sizeBytes=" + batch.sizeInBytes(),
                unreadable);
    }

    private MemoryRecordsBuilder begun() {
        int capacity = Math.addExact(batch.sizeInBytes(), ROOM_BYTES);
        boolean isLogAppendTime = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
        return new MemoryRecordsBuilder(
                new ByteBufferOutputStream(capacity),
                batch.magic(),
                Compression.of(batch.compressionType()).build(),
                batch.timestampType(),
                batch.baseOffset(),
                isLogAppendTime ? batch.maxTimestamp() : RecordBatch.NO_TIMESTAMP,
                batch.producerId(),
                batch.producerEpoch(),
                batch.baseSequence(),
                batch.isTransactional(),
                false,
                batch.partitionLeaderEpoch(),
                capacity,
                batch.deleteHorizonMs().orElse(RecordBatch.NO_TIMESTAMP));
    }

    private ByteBuffer finished(MemoryRecordsBuilder whole) {
        whole.overrideLastOffset(batch.lastOffset());
        return whole.build().buffer();
    }
}
