package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.Test;

class BeginningsTest {
    private static final TopicPartition PARTITION = new TopicPartition("topic", 0);
    private static final short LAST_EPOCH = Short.MAX_VALUE - 1;

    private final Beginnings beginnings = new Beginnings(() -> 2000);

    @Test
    void givesAnIdOfBeforeItsFirstEpoch() {
        TxnTransitMetadata born = init(States.unborn(), Optional.empty()).next();

        assertThat(born.producerId()).isEqualTo(1000);
        assertThat(born.producerEpoch()).isZero();
        assertThat(born.txnState()).isEqualTo(TransactionState.EMPTY);
        assertThat(born.txnTimeoutMs()).isEqualTo(States.TIMEOUT_MS);
    }

    @Test
    void givesTheNextEpochToWhoeverComesNext() {
        TxnTransitMetadata next = init(States.empty(5), Optional.empty()).next();

        assertThat(next.producerEpoch()).isEqualTo((short) 6);
        assertThat(next.lastProducerEpoch()).isEqualTo((short) -1);
    }

    @Test
    void givesTheNextEpochToTheProducerThatKnowsItsOwn() {
        TxnTransitMetadata next = init(States.empty(5), producer(1000, 5)).next();

        assertThat(next.producerEpoch()).isEqualTo((short) 6);
        assertThat(next.lastProducerEpoch()).isEqualTo((short) 5);
    }

    @Test
    void answersARetryWithTheEpochThatWasGiven() {
        TxnTransitMetadata given = init(States.empty(5), producer(1000, 5)).next();

        assertThat(init(given, producer(1000, 5)).next().producerEpoch()).isEqualTo((short) 6);
    }

    @Test
    void fencesAProducerWhoseEpochOrIdIsOld() {
        assertThatThrownBy(() -> init(States.empty(5), producer(1000, 3))).isInstanceOf(ProducerFencedException.class);
        assertThat(init(States.empty(5), producer(999, 5))).isEqualTo(Decision.stay(Errors.PRODUCER_FENCED));
    }

    @Test
    void givesAnotherIdWhenTheEpochsAreUsedUp() {
        TxnTransitMetadata rotated =
                init(States.empty(LAST_EPOCH), Optional.empty()).next();

        assertThat(rotated.producerId()).isEqualTo(2000);
        assertThat(rotated.producerEpoch()).isZero();
        assertThat(rotated.prevProducerId()).isEqualTo(1000);
        assertThat(rotated.lastProducerEpoch()).isEqualTo((short) -1);
    }

    @Test
    void knowsAProducerByItsIdBeforeTheLast() {
        TxnTransitMetadata rotated =
                init(States.empty(LAST_EPOCH), producer(1000, LAST_EPOCH)).next();

        assertThat(rotated.lastProducerEpoch()).isEqualTo(LAST_EPOCH);
        assertThat(init(rotated, producer(1000, LAST_EPOCH)).next().producerEpoch())
                .isZero();
        assertThat(init(rotated, producer(1000, 7))).isEqualTo(Decision.stay(Errors.PRODUCER_FENCED));
    }

    @Test
    void refusesWhenThereIsNoIdToGive() {
        Beginnings without = new Beginnings(() -> {
            throw new CoordinatorLoadInProgressException("no block yet");
        });

        assertThatThrownBy(() -> without.init(
                        States.at(States.empty(LAST_EPOCH)),
                        States.TIMEOUT_MS,
                        Optional.empty(),
                        TransactionVersion.TV_2))
                .isInstanceOf(CoordinatorLoadInProgressException.class);
    }

    @Test
    void abortsWhatIsUnderWayAndLetsTheProducerAskAgain() {
        Decision decision = init(States.ongoing(5, TransactionVersion.TV_2), Optional.empty());

        assertThat(decision.error()).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
        assertThat(decision.next().txnState()).isEqualTo(TransactionState.PREPARE_ABORT);
        assertThat(decision.next().producerEpoch()).isEqualTo((short) 6);
    }

    @Test
    void abortsWithAnEpochOfItsOwnInTheOldProtocolToo() {
        Decision decision = beginnings.init(
                States.at(States.ongoing(5, TransactionVersion.TV_0)),
                States.TIMEOUT_MS,
                Optional.empty(),
                TransactionVersion.TV_1);

        assertThat(decision.next().producerEpoch()).isEqualTo((short) 6);
        assertThat(decision.next().lastProducerEpoch()).isEqualTo((short) -1);
    }

    @Test
    void fencesTheLastEpochAndGivesAnotherIdAfterwards() {
        TxnTransitMetadata fenced = init(States.ongoing(LAST_EPOCH, TransactionVersion.TV_2), Optional.empty())
                .next();

        assertThat(fenced.producerEpoch()).isEqualTo(Short.MAX_VALUE);
        assertThat(fenced.nextProducerId()).isEqualTo(-1);
        assertThat(init(States.at(fenced).complete(), Optional.empty()).next().producerId())
                .isEqualTo(2000);
    }

    @Test
    void waitsForADecisionToBeCarriedOut() {
        for (TransactionResult result : TransactionResult.values()) {
            TxnTransitMetadata prepared = States.prepared(5, result, TransactionVersion.TV_2);

            assertThat(init(prepared, Optional.empty())).isEqualTo(Decision.stay(Errors.CONCURRENT_TRANSACTIONS));
            assertThat(init(States.at(prepared).complete(), Optional.empty())
                            .next()
                            .producerEpoch())
                    .isEqualTo((short) 7);
        }
    }

    @Test
    void beginsATransactionWithItsFirstPartition() {
        TxnTransitMetadata begun = add(States.empty(5), 1000, 5, PARTITION).next();

        assertThat(begun.txnState()).isEqualTo(TransactionState.ONGOING);
        assertThat(begun.topicPartitions()).containsExactly(PARTITION);
        assertThat(begun.txnStartTimestamp()).isEqualTo(States.NOW_MS);
    }

    @Test
    void addsPartitionsAndWritesNothingForThoseThatAreThere() {
        TopicPartition second = new TopicPartition("topic", 1);
        TxnTransitMetadata begun = States.ongoing(5, TransactionVersion.TV_2);

        assertThat(add(begun, 1000, 5, PARTITION)).isEqualTo(Decision.stay(Errors.NONE));
        assertThat(add(begun, 1000, 5, second).next().topicPartitions()).containsExactlyInAnyOrder(PARTITION, second);
    }

    @Test
    void beginsAgainAfterAnEnd() {
        for (TransactionResult result : TransactionResult.values()) {
            TxnTransitMetadata ended = States.at(States.prepared(5, result, TransactionVersion.TV_2))
                    .complete();

            TxnTransitMetadata begun = add(ended, 1000, 6, PARTITION).next();

            assertThat(begun.txnState()).isEqualTo(TransactionState.ONGOING);
        }
    }

    @Test
    void addsForNobodyElse() {
        TxnTransitMetadata begun = States.ongoing(5, TransactionVersion.TV_2);

        assertThat(add(begun, 999, 5, PARTITION)).isEqualTo(Decision.stay(Errors.INVALID_PRODUCER_ID_MAPPING));
        assertThat(add(begun, 1000, 4, PARTITION)).isEqualTo(Decision.stay(Errors.PRODUCER_FENCED));
        assertThat(add(begun, 1000, 6, PARTITION)).isEqualTo(Decision.stay(Errors.PRODUCER_FENCED));
    }

    @Test
    void addsNothingWhileADecisionIsCarriedOutWhoeverAsks() {
        TxnTransitMetadata prepared = States.prepared(5, TransactionResult.COMMIT, TransactionVersion.TV_2);

        assertThat(add(prepared, 999, 0, PARTITION)).isEqualTo(Decision.stay(Errors.CONCURRENT_TRANSACTIONS));
    }

    private Decision init(TxnTransitMetadata present, Optional<ProducerIdAndEpoch> expected) {
        return beginnings.init(States.at(present), States.TIMEOUT_MS, expected, TransactionVersion.TV_2);
    }

    private static Decision add(TxnTransitMetadata present, long id, int epoch, TopicPartition partition) {
        return Beginnings.add(
                States.at(present), producer(id, epoch).orElseThrow(), Set.of(partition), TransactionVersion.TV_2);
    }

    private static Optional<ProducerIdAndEpoch> producer(long id, int epoch) {
        return Optional.of(new ProducerIdAndEpoch(id, (short) epoch));
    }
}
