package io.gregor.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.testing.Fake;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class TransactionCommandsTest {
    private static final long NOW_MS = 1_000_000;

    private final TransactionCommands commands = new TransactionCommands(() -> NOW_MS);
    private final ListTransactionsResponseData listed = new ListTransactionsResponseData();

    @Test
    void showsTransactionsByTheirIds() {
        TransactionState ongoing = state("pay", "Ongoing", NOW_MS - 65_000);
        ongoing.topics().add(new TopicData().setTopic("orders").setPartitions(List.of(3, 0)));
        ongoing.topics().add(new TopicData().setTopic("bills").setPartitions(List.of(1)));
        serve(ongoing, state("audit", "CompleteCommit", NOW_MS - 5_000));

        assertThat(commands.list().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "ID STATE PRODUCER EPOCH COORDINATOR TIME-OUT DURATION PARTITIONS",
                        "audit CompleteCommit 17 2 5 1m00s - -",
                        "pay Ongoing 17 2 3 1m00s 1m05s bills-1,orders-0,orders-3");
        assertThat(commands.list("state=Ongoing")).contains("pay").doesNotContain("audit");
    }

    @Test
    void whatWasForgottenBetweenTheTwoQuestionsIsLeftOut() {
        serve(
                state("gone", "Empty", -1).setErrorCode(Errors.TRANSACTIONAL_ID_NOT_FOUND.code()),
                state("here", "Empty", -1));

        assertThat(commands.list()).contains("here").doesNotContain("gone");
    }

    @Test
    void saysWhyThereIsNothingToShow() {
        assertThatThrownBy(commands::list).hasMessageContaining("no broker that is ready");

        listed.setErrorCode(Errors.COORDINATOR_LOAD_IN_PROGRESS.code());
        serve();
        assertThatThrownBy(commands::list).hasMessageContaining("try again").hasMessageContaining("loading");
    }

    private void serve(TransactionState... states) {
        for (TransactionState state : states) {
            listed.transactionStates()
                    .add(new ListTransactionsResponseData.TransactionState()
                            .setTransactionalId(state.transactionalId()));
        }
        commands.coordinator =
                Fake.of(TransactionCoordinator.class, (proxy, method, arguments) -> switch (method.getName()) {
                    case "list" -> CompletableFuture.completedFuture(listed);
                    case "describe" -> CompletableFuture.completedFuture(described((List<?>) arguments[0], states));
                    case "partitionFor" -> ((String) arguments[0]).length();
                    default -> null;
                });
    }

    private static List<TransactionState> described(List<?> ids, TransactionState... states) {
        return ids.stream()
                .flatMap(id -> List.of(states).stream()
                        .filter(state -> state.transactionalId().equals(id)))
                .toList();
    }

    private static TransactionState state(String id, String state, long startMs) {
        return new TransactionState()
                .setTransactionalId(id)
                .setTransactionState(state)
                .setProducerId(17)
                .setProducerEpoch((short) 2)
                .setTransactionTimeoutMs(60_000)
                .setTransactionStartTimeMs(startMs);
    }
}
