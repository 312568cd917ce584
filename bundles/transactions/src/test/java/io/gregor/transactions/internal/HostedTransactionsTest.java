package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostedTransactionsTest {
    private static final TransactionVersion V2 = TransactionVersion.TV_2;
    private static final int EPOCH = 7;

    private final ManualRuntime runtime = new ManualRuntime();
    private final ManualDelivery elsewhere = new ManualDelivery();
    private final Images images = new Images();
    private long nowMs = States.NOW_MS;
    private final HostedTransactions hosted = new HostedTransactions(
            50,
            runtime,
            new MarkerSender(Images.HERE, images.leaders(), () -> null, elsewhere),
            () -> V2,
            Fake.of(Time.class, (proxy, method, arguments) -> nowMs));
    private final int partition = hosted.partitionFor(States.ID);

    @BeforeEach
    void markersGoElsewhere() {
        images.topic("topic", Images.ELSEWHERE);
    }

    @AfterEach
    void close() throws Exception {
        hosted.close();
        runtime.close();
    }

    @Test
    void aDecisionIsWrittenThenItsMarkersAreSentThenItIsComplete() {
        elect();

        CompletableFuture<Outcome> committed = decide();
        assertThat(committed).isNotDone();
        runtime.run();

        assertThat(committed).isCompletedWithValueMatching(outcome -> outcome.ending() != null);
        assertThat(state()).isEqualTo(TransactionState.PREPARE_COMMIT);
        assertThat(elsewhere.destinations()).containsExactly(Images.ELSEWHERE);

        elsewhere.answer(Map.of(States.PARTITION, Errors.NONE));
        runtime.run();

        assertThat(state()).isEqualTo(TransactionState.COMPLETE_COMMIT);
        assertThat(runtime.appended(partition)).isEqualTo(2);
        assertThat(elsewhere.isEmpty()).isTrue();
    }

    @Test
    void whatIsNotLedHereIsRefused() {
        CompletableFuture<Outcome> refused = decide();
        runtime.run();

        assertThat(refused).isCompletedWithValueMatching(outcome -> outcome.error() == Errors.NOT_COORDINATOR);
    }

    @Test
    void decisionsThatAreFoundInTheLogAreCarriedOut() {
        runtime.store(partition, record(States.prepared(5, TransactionResult.ABORT, V2)));

        elect();

        assertThat(elsewhere.destinations()).containsExactly(Images.ELSEWHERE);
        elsewhere.answer(Map.of(States.PARTITION, Errors.NONE));
        runtime.run();
        assertThat(state()).isEqualTo(TransactionState.COMPLETE_ABORT);
    }

    @Test
    void theCompletionIsWrittenAgainWhenTheLogDidNotTakeIt() {
        elect();
        decide();
        runtime.run();

        runtime.refuseAppends(Errors.NOT_ENOUGH_REPLICAS);
        elsewhere.answer(Map.of(States.PARTITION, Errors.NONE));
        runtime.run();
        assertThat(state()).isEqualTo(TransactionState.PREPARE_COMMIT);

        runtime.refuseAppends(Errors.NONE);
        elsewhere.runLater();
        runtime.run();
        assertThat(state()).isEqualTo(TransactionState.COMPLETE_COMMIT);
    }

    @Test
    void aDecisionThatTheLogDoesNotTakeIsNotSent() {
        elect();
        runtime.refuseAppends(Errors.NOT_ENOUGH_REPLICAS);

        CompletableFuture<Outcome> refused = decide();
        runtime.run();

        assertThat(refused)
                .isCompletedWithValueMatching(outcome -> outcome.error() == Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(elsewhere.isEmpty()).isTrue();
    }

    @Test
    void whatTakesTooLongIsAborted() {
        runtime.store(partition, record(States.ongoing(5, V2)));
        elect();
        hosted.abortTimedOut();
        runtime.run();
        assertThat(elsewhere.isEmpty()).isTrue();

        nowMs += States.TIMEOUT_MS;
        hosted.abortTimedOut();
        runtime.run();

        assertThat(state()).isEqualTo(TransactionState.PREPARE_ABORT);
        assertThat(elsewhere.destinations()).containsExactly(Images.ELSEWHERE);
    }

    @Test
    void idsThatNobodyUsesAreForgotten() {
        runtime.store(partition, record(States.empty(5)));
        elect();
        hosted.expire(10_000);
        runtime.run();
        assertThat(state()).isEqualTo(TransactionState.EMPTY);

        nowMs += 20_000;
        hosted.expire(10_000);
        runtime.run();

        assertThat(state()).isNull();
    }

    @Test
    void aPartitionThatIsAnothersIsLetGoWithItsMarkers() {
        elect();
        decide();
        runtime.run();

        hosted.onResignation(partition, OptionalInt.of(EPOCH + 1));
        runtime.run();
        elsewhere.answer(Map.of(States.PARTITION, Errors.NOT_LEADER_OR_FOLLOWER));
        runtime.run();

        assertThat(elsewhere.isEmpty()).isTrue();
        CompletableFuture<Outcome> refused = decide();
        runtime.run();
        assertThat(refused).isCompletedWithValueMatching(outcome -> outcome.error() == Errors.NOT_COORDINATOR);
    }

    private void elect() {
        hosted.onElection(partition, EPOCH);
        runtime.run();
    }

    /** Commits a transaction with one partition. */
    private CompletableFuture<Outcome> decide() {
        return hosted.change(
                "commit",
                States.ID,
                shard -> shard.changeOrCreate(
                        States.ID,
                        States.NOW_MS,
                        () -> States.ongoing(5, V2),
                        at -> Decision.to(at.end(TransactionResult.COMMIT, V2, -1))));
    }

    /** As it is committed; null if there is none. */
    private TransactionState state() {
        CompletableFuture<TxnTransitMetadata> read =
                hosted.read("state", States.ID, (shard, offset) -> shard.committed(States.ID, offset));
        runtime.run();
        TxnTransitMetadata state = read.join();
        return state == null ? null : state.txnState();
    }

    private static TransactionRecord record(TxnTransitMetadata state) {
        return new TransactionRecord(States.ID, state, V2);
    }
}
