package io.gregor.api.records;

import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** Changes records one by one; used by {@link EditedRecords}. */
@FunctionalInterface
public interface RecordEdit {
    /**
     * Looks at one record. Called on the thread that calls {@link EditedRecords}, once for each record, in their order.
     *
     * @param record the record as it is, decompressed; valid during the call
     * @return key, value and headers that stand in its place, with offset, sequence number and timestamp of the original;
     *     null to leave it as it is
     */
    @Nullable
    SimpleRecord edit(Record record);
}
