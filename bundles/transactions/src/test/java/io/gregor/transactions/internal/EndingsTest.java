package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.Test;

class EndingsTest {
    private static final TransactionVersion OLD = TransactionVersion.TV_0;
    private static final TransactionVersion NEW = TransactionVersion.TV_2;
    private static final TransactionResult COMMIT = TransactionResult.COMMIT;
    private static final TransactionResult ABORT = TransactionResult.ABORT;
    private static final short LAST_EPOCH = Short.MAX_VALUE - 1;

    private final Endings endings = new Endings(() -> 2000);

    @Test
    void decidesWithTheSameEpochInTheOldProtocol() {
        for (TransactionResult result : TransactionResult.values()) {
            TxnTransitMetadata next =
                    end(States.ongoing(5, OLD), 1000, 5, result, OLD).next();

            assertThat(next.txnState()).isEqualTo(Transition.prepared(result));
            assertThat(next.producerEpoch()).isEqualTo((short) 5);
        }
    }

    @Test
    void decidesWithTheNextEpochInTheNewProtocol() {
        for (TransactionResult result : TransactionResult.values()) {
            TxnTransitMetadata next =
                    end(States.ongoing(5, NEW), 1000, 5, result, NEW).next();

            assertThat(next.txnState()).isEqualTo(Transition.prepared(result));
            assertThat(next.producerEpoch()).isEqualTo((short) 6);
            assertThat(next.lastProducerEpoch()).isEqualTo((short) 5);
            assertThat(States.at(next).complete().producerEpoch()).isEqualTo((short) 6);
        }
    }

    @Test
    void answersARetryOfTheOldProtocolByTheStateAlone() {
        TxnTransitMetadata committed =
                States.at(States.prepared(5, COMMIT, OLD)).complete();

        assertThat(end(committed, 1000, 5, COMMIT, OLD)).isEqualTo(Decision.stay(Errors.NONE));
        assertThat(end(committed, 1000, 5, ABORT, OLD)).isEqualTo(Decision.stay(Errors.INVALID_TXN_STATE));
        assertThat(end(States.empty(5), 1000, 5, COMMIT, OLD)).isEqualTo(Decision.stay(Errors.INVALID_TXN_STATE));
    }

    @Test
    void answersARetryOfTheNewProtocolByItsEpoch() {
        TxnTransitMetadata committed =
                States.at(States.prepared(5, COMMIT, NEW)).complete();

        assertThat(end(committed, 1000, 5, COMMIT, NEW)).isEqualTo(Decision.stay(Errors.NONE));
        assertThat(end(committed, 1000, 5, ABORT, NEW)).isEqualTo(Decision.stay(Errors.INVALID_TXN_STATE));
        assertThat(end(committed, 1000, 6, COMMIT, NEW)).isEqualTo(Decision.stay(Errors.INVALID_TXN_STATE));
        assertThat(end(committed, 1000, 4, COMMIT, NEW)).isEqualTo(Decision.stay(Errors.PRODUCER_FENCED));
    }

    @Test
    void abortsWithoutPartitionsInTheNewProtocolOnly() {
        TxnTransitMetadata aborted = States.at(States.prepared(5, ABORT, NEW)).complete();
        TxnTransitMetadata committed =
                States.at(States.prepared(5, COMMIT, NEW)).complete();

        assertThat(end(States.empty(5), 1000, 5, ABORT, NEW).next().producerEpoch())
                .isEqualTo((short) 6);
        assertThat(end(aborted, 1000, 6, ABORT, NEW).next().txnState()).isEqualTo(TransactionState.PREPARE_ABORT);
        assertThat(end(committed, 1000, 6, ABORT, NEW).next().producerEpoch()).isEqualTo((short) 7);
        assertThat(end(States.empty(5), 1000, 5, COMMIT, NEW)).isEqualTo(Decision.stay(Errors.INVALID_TXN_STATE));
        assertThat(end(States.empty(5), 1000, 5, ABORT, OLD)).isEqualTo(Decision.stay(Errors.INVALID_TXN_STATE));
    }

    @Test
    void goesOnWithAnotherIdAfterTheLastEpoch() {
        TxnTransitMetadata decided = end(States.ongoing(LAST_EPOCH, NEW), 1000, LAST_EPOCH, COMMIT, NEW)
                .next();

        assertThat(decided.producerId()).isEqualTo(1000);
        assertThat(decided.producerEpoch()).isEqualTo(Short.MAX_VALUE);
        assertThat(decided.nextProducerId()).isEqualTo(2000);
        assertThat(new Outcome(Errors.NONE, decided, new Ending(0, 0, States.ID, decided)).producer())
                .isEqualTo(new ProducerIdAndEpoch(2000, (short) 0));

        TxnTransitMetadata complete = States.at(decided).complete();

        assertThat(complete.producerId()).isEqualTo(2000);
        assertThat(complete.producerEpoch()).isZero();
        assertThat(complete.prevProducerId()).isEqualTo(1000);
        assertThat(end(complete, 1000, LAST_EPOCH, COMMIT, NEW)).isEqualTo(Decision.stay(Errors.NONE));
    }

    @Test
    void endsForNobodyElse() {
        for (TransactionVersion client : new TransactionVersion[] {OLD, NEW}) {
            TxnTransitMetadata begun = States.ongoing(5, client);

            assertThat(end(begun, 999, 5, COMMIT, client)).isEqualTo(Decision.stay(Errors.INVALID_PRODUCER_ID_MAPPING));
            assertThat(end(begun, 1000, 4, COMMIT, client)).isEqualTo(Decision.stay(Errors.PRODUCER_FENCED));
            assertThat(end(begun, 1000, 6, COMMIT, client)).isEqualTo(Decision.stay(Errors.PRODUCER_FENCED));
        }
    }

    @Test
    void waitsForADecisionToBeCarriedOut() {
        for (TransactionVersion client : new TransactionVersion[] {OLD, NEW}) {
            TxnTransitMetadata prepared = States.prepared(5, COMMIT, client);

            assertThat(end(prepared, 1000, 5, COMMIT, client)).isEqualTo(Decision.stay(Errors.CONCURRENT_TRANSACTIONS));
        }
    }

    private Decision end(
            TxnTransitMetadata present, long id, int epoch, TransactionResult result, TransactionVersion client) {
        return endings.end(States.at(present), new ProducerIdAndEpoch(id, (short) epoch), result, client);
    }
}
