package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.transactions.TransactionMarkers;
import io.gregor.transactions.internal.MarkerSender.Completion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.Test;

class MarkerSenderTest {
    private static final TopicPartition PARTITION = States.PARTITION;

    private final ManualDelivery elsewhere = new ManualDelivery();
    private final List<TxnMarkerEntry> appended = new ArrayList<>();
    private final List<Ending> completed = new ArrayList<>();
    private final Queue<Errors> answers = new ArrayDeque<>();
    private final Queue<Completion> completions = new ArrayDeque<>();
    private final TransactionMarkers markers = marker -> {
        appended.add(marker);
        Errors error = answers.isEmpty() ? Errors.NONE : answers.remove();
        return CompletableFuture.completedFuture(Map.of(PARTITION, error));
    };
    private final Images images = new Images();
    private boolean isHere = true;
    private final MarkerSender sender =
            new MarkerSender(Images.HERE, images.leaders(), () -> isHere ? markers : null, elsewhere);

    private final Ending ending =
            new Ending(3, 7, States.ID, States.prepared(5, TransactionResult.COMMIT, TransactionVersion.TV_2));

    @Test
    void appendsToWhatIsLedHereAndCompletesAtOnce() {
        images.topic("topic", Images.HERE);

        send();

        assertThat(appended)
                .containsExactly(new TxnMarkerEntry(
                        1000, (short) 6, 7, TransactionResult.COMMIT, List.of(PARTITION), (short) 2));
        assertThat(completed).containsExactly(ending);
        assertThat(elsewhere.isEmpty()).isTrue();
    }

    @Test
    void sendsToTheBrokerThatLeads() {
        images.topic("topic", Images.ELSEWHERE);

        send();
        assertThat(completed).isEmpty();
        elsewhere.answer(Map.of(PARTITION, Errors.NONE));

        assertThat(elsewhere.destinations()).containsExactly(Images.ELSEWHERE);
        assertThat(completed).containsExactly(ending);
        assertThat(appended).isEmpty();
    }

    @Test
    void triesAgainWhereTheLeaderIsThen() {
        images.topic("topic", Images.ELSEWHERE);
        send();
        elsewhere.answer(Map.of(PARTITION, Errors.NOT_LEADER_OR_FOLLOWER));

        images.topic("topic", Images.HERE);
        elsewhere.runLater();

        assertThat(appended).hasSize(1);
        assertThat(completed).containsExactly(ending);
    }

    @Test
    void triesAgainWhenTheBrokerDoesNotAnswer() {
        images.topic("topic", Images.ELSEWHERE);
        send();
        elsewhere.answer(Map.of());
        elsewhere.runLater();
        elsewhere.answer(Map.of(PARTITION, Errors.NONE));

        assertThat(completed).containsExactly(ending);
    }

    @Test
    void waitsForALeader() {
        images.topic("topic", Images.NOBODY);
        send();
        assertThat(sender.unknownDestinations()).isEqualTo(1);

        images.topic("topic", Images.HERE);
        elsewhere.runLater();

        assertThat(sender.unknownDestinations()).isZero();
        assertThat(completed).containsExactly(ending);
    }

    @Test
    void waitsForTheLocalPartitions() {
        images.topic("topic", Images.HERE);
        isHere = false;
        send();

        isHere = true;
        elsewhere.runLater();

        assertThat(completed).containsExactly(ending);
    }

    @Test
    void completesWithoutADeletedPartition() {
        send();

        assertThat(completed).containsExactly(ending);
        assertThat(appended).isEmpty();
    }

    @Test
    void endsAsFarAsItIsConcernedWhenSomebodyNewerHasTheTransaction() {
        images.topic("topic", Images.HERE);
        for (Errors error : List.of(Errors.TRANSACTION_COORDINATOR_FENCED, Errors.INVALID_PRODUCER_EPOCH)) {
            answers.add(error);
            send();
        }

        assertThat(completed).isEmpty();
        assertThat(elsewhere.isEmpty()).isTrue();
        send();
        assertThat(completed).containsExactly(ending);
    }

    @Test
    void writesTheCompletionAgainUntilItIsWritten() {
        images.topic("topic", Images.HERE);
        completions.add(Completion.AGAIN);
        send();
        assertThat(sender.completionsToRetry()).isEqualTo(1);

        elsewhere.runLater();

        assertThat(sender.completionsToRetry()).isZero();
        assertThat(completed).containsExactly(ending, ending);
        assertThat(appended).hasSize(1);
    }

    @Test
    void sendsADecisionOnceHoweverOftenItIsAsked() {
        images.topic("topic", Images.ELSEWHERE);

        send();
        send();

        assertThat(elsewhere.destinations()).hasSize(1);
    }

    @Test
    void putsTheNextDecisionInPlaceOfOneThatIsOver() {
        images.topic("topic", Images.ELSEWHERE);
        send();
        Ending next = new Ending(3, 7, States.ID, States.prepared(9, TransactionResult.ABORT, TransactionVersion.TV_2));

        sender.send(next, this::complete);
        elsewhere.answer(Map.of(PARTITION, Errors.NONE));
        elsewhere.answer(Map.of(PARTITION, Errors.NONE));

        assertThat(completed).containsExactly(next);
    }

    @Test
    void forgetsAPartitionThatIsAnotherCoordinators() {
        images.topic("topic", Images.ELSEWHERE);
        send();

        sender.forget(2);
        sender.forget(3);
        elsewhere.answer(Map.of(PARTITION, Errors.NOT_LEADER_OR_FOLLOWER));

        assertThat(elsewhere.isEmpty()).isTrue();
        assertThat(completed).isEmpty();
    }

    private void send() {
        sender.send(ending, this::complete);
    }

    private CompletableFuture<Completion> complete(Ending ended) {
        completed.add(ended);
        return CompletableFuture.completedFuture(completions.isEmpty() ? Completion.OVER : completions.remove());
    }
}
