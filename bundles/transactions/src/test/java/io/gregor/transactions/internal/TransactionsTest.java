package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.coordinator.common.runtime.CoordinatorResult;
import org.apache.kafka.coordinator.common.runtime.Deserializer.UnknownRecordTypeException;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.apache.kafka.timeline.SnapshotRegistry;
import org.junit.jupiter.api.Test;

class TransactionsTest {
    private static final TransactionVersion V2 = TransactionVersion.TV_2;

    private final TransactionRecordSerde serde = new TransactionRecordSerde();
    private final Transactions shard =
            new Transactions(new SnapshotRegistry(new LogContext()), 3, () -> 7, () -> V2, () -> {});

    @Test
    void abortsWhatTakesTooLongAndNothingElse() {
        replay("slow", States.ongoing(5, V2));
        replay("ended", States.prepared(5, TransactionResult.COMMIT, V2));

        assertThat(shard.abortTimedOut(States.NOW_MS + States.TIMEOUT_MS - 1000).records())
                .isEmpty();
        CoordinatorResult<List<Ending>, TransactionRecord> late =
                shard.abortTimedOut(States.NOW_MS + States.TIMEOUT_MS);

        assertThat(late.response()).extracting(Ending::transactionalId).containsExactly("slow");
        assertThat(late.records())
                .singleElement()
                .satisfies(written -> assertThat(written.state().txnState()).isEqualTo(TransactionState.PREPARE_ABORT));
    }

    @Test
    void forgetsUnusedIdsButNoneUnderWay() {
        replay("unused", States.empty(5));
        replay("ongoing", States.ongoing(5, V2));
        replay("prepared", States.prepared(5, TransactionResult.ABORT, V2));

        assertThat(shard.expire(10_000, States.NOW_MS).response()).isZero();
        assertThat(shard.expire(10_000, States.NOW_MS + 20_000).records())
                .containsExactly(new TransactionRecord("unused", null, V2));
    }

    @Test
    void findsDecisionsAndCompletesEachOnce() {
        TxnTransitMetadata prepared = States.prepared(5, TransactionResult.COMMIT, V2);
        replay(States.ID, prepared);
        Ending ending = new Ending(3, 7, States.ID, prepared);
        assertThat(shard.prepared().response()).containsExactly(ending);

        CoordinatorResult<Void, TransactionRecord> first = shard.complete(ending, States.NOW_MS);
        first.records().forEach(written -> shard.replay(0, -1, (short) -1, written));

        assertThat(first.records()).hasSize(1);
        assertThat(shard.complete(ending, States.NOW_MS).records()).isEmpty();
        assertThat(shard.prepared().response()).isEmpty();
    }

    @Test
    void knowsNoTransactionThatIsNotThere() {
        assertThat(shard.change("nobody", 0, at -> Decision.stay(Errors.NONE))
                        .response()
                        .error())
                .isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
    }

    @Test
    void readsBackWhatIsWrittenInEachVersionOfTheLog() {
        for (TransactionVersion version : TransactionVersion.values()) {
            TxnTransitMetadata state = States.ongoing(5, version);

            TransactionRecord read = readBack(new TransactionRecord(States.ID, state, version));

            assertThat(read.transactionalId()).isEqualTo(States.ID);
            assertThat(read.state().topicPartitions()).isEqualTo(state.topicPartitions());
            assertThat(read.state().producerEpoch()).isEqualTo((short) 5);
            assertThat(read.state().txnState()).isEqualTo(TransactionState.ONGOING);
        }
        assertThat(readBack(new TransactionRecord(States.ID, null, V2)).state()).isNull();
    }

    @Test
    void tellsTheLoaderToSkipAKeyOfALaterKafka() {
        ByteBuffer key = ByteBuffer.wrap(new byte[] {0, 9, 0, 0});

        assertThatThrownBy(() -> serde.deserialize(key, null)).isInstanceOf(UnknownRecordTypeException.class);
    }

    private void replay(String id, TxnTransitMetadata state) {
        shard.replay(0, -1, (short) -1, new TransactionRecord(id, state, V2));
    }

    private TransactionRecord readBack(TransactionRecord written) {
        byte[] value = serde.serializeValue(written);
        return serde.deserialize(
                ByteBuffer.wrap(serde.serializeKey(written)), value == null ? null : ByteBuffer.wrap(value));
    }
}
