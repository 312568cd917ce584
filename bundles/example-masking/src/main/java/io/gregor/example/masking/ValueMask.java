package io.gregor.example.masking;

import io.gregor.api.records.RecordEdit;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** Masks the values of records; keys and headers stay. Immutable. */
final class ValueMask implements RecordEdit {
    private final MaskedField fields;

    ValueMask(MaskedField fields) {
        this.fields = fields;
    }

    @Override
    public @Nullable SimpleRecord edit(Record record) {
        if (!record.hasValue() || !JsonMask.mayBeJson(record.value())) {
            return null;
        }
        byte[] value = new byte[record.valueSize()];
        record.value().get(value);
        byte[] masked = JsonMask.mask(value, fields);
        return masked == value
                ? null
                : new SimpleRecord(record.timestamp(), record.key(), ByteBuffer.wrap(masked), record.headers());
    }
}
