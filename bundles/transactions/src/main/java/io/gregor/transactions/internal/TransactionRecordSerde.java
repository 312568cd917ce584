package io.gregor.transactions.internal;

import java.nio.ByteBuffer;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.apache.kafka.coordinator.common.runtime.Serializer;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TransactionLog.ReadResult;
import org.apache.kafka.coordinator.transaction.TransactionLog.TxnRecord;
import org.apache.kafka.coordinator.transaction.TransactionLog.TxnTombstone;
import org.apache.kafka.coordinator.transaction.TransactionLog.UnknownKeyVersion;
import org.apache.kafka.coordinator.transaction.TransactionLog.UnknownValueVersion;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.jspecify.annotations.Nullable;

/** Kafka's own format of the records, so that a data directory goes from one broker to the other. Immutable. */
final class TransactionRecordSerde implements Serializer<TransactionRecord>, Deserializer<TransactionRecord> {
    @Override
    public byte[] serializeKey(TransactionRecord written) {
        return TransactionLog.keyToBytes(written.transactionalId());
    }

    @Override
    public byte @Nullable [] serializeValue(TransactionRecord written) {
        TxnTransitMetadata state = written.state();
        return state == null ? null : TransactionLog.valueToBytes(state, written.version());
    }

    /** @throws UnknownRecordTypeException for a key of a later version, which the loader skips */
    @Override
    public TransactionRecord deserialize(ByteBuffer key, @Nullable ByteBuffer value) {
        ReadResult read = TransactionLog.read(key, value);
        if (read instanceof TxnRecord present) {
            return new TransactionRecord(
                    present.transactionId(), present.metadata().prepareNoTransit(), TransactionVersion.TV_0);
        }
        if (read instanceof TxnTombstone gone) {
            return new TransactionRecord(gone.transactionId(), null, TransactionVersion.TV_0);
        }
        if (read instanceof UnknownKeyVersion later) {
            throw new UnknownRecordTypeException(later.version());
        }
        if (read instanceof UnknownValueVersion later) {
            throw new UnknownRecordVersionException((short) 0, later.version());
        }
        throw new IllegalStateException("record was read as something unknown: result=" + read);
    }
}
