package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.testing.Fake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.TransactionVersion;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.junit.jupiter.api.Test;

class NearCoordinatorTest {
    private static final TopicPartition A = new TopicPartition("t", 0);
    private static final TopicPartition B = new TopicPartition("t", 1);

    private final List<String> calls = new ArrayList<>();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();
    private final List<Map<TopicPartition, Errors>> refused = new ArrayList<>();
    private boolean isHere = true;

    private void ask(TransactionSupportedOperation operation) {
        TransactionCoordinator coordinator =
                Fake.of(TransactionCoordinator.class, (proxy, method, arguments) -> switch (method.getName()) {
                    case "partitionFor" -> 3;
                    case "addPartitions" -> {
                        calls.add("add as " + ((TransactionVersion) arguments[3]).featureLevel());
                        yield answer;
                    }
                    case "verifyPartitions" -> {
                        calls.add("verify");
                        yield answer;
                    }
                    default -> throw Fake.unexpected(method.getName());
                });
        new NearCoordinator(
                        coordinator,
                        place -> isHere && place.equals(new TopicPartition("__transaction_state", 3)),
                        (id, producer, epoch, partitions, callback, asked) -> calls.add("others"),
                        Time.SYSTEM)
                .addOrVerifyTransaction("id", 9, (short) 1, List.of(A, B), refused::add, operation);
    }

    @Test
    void asksOthersWhereTheyAreTheCoordinator() {
        isHere = false;

        ask(TransactionSupportedOperation.ADD_PARTITION);

        assertThat(calls).containsExactly("others");
    }

    @Test
    void addsForNewClients() {
        ask(TransactionSupportedOperation.ADD_PARTITION);
        assertThat(refused).isEmpty();

        answer.complete(Errors.NONE);

        assertThat(calls).containsExactly("add as 2");
        assertThat(refused).containsExactly(Map.of());
    }

    @Test
    void oneErrorOfAnAdditionIsThatOfAllPartitions() {
        answer.complete(Errors.PRODUCER_FENCED);

        ask(TransactionSupportedOperation.ADD_PARTITION);

        assertThat(refused).containsExactly(Map.of(A, Errors.INVALID_PRODUCER_EPOCH, B, Errors.INVALID_PRODUCER_EPOCH));
    }

    @Test
    void verifiesForOldClientsInWordsThatTheyKnow() {
        answer.complete(Map.of(A, Errors.NONE, B, Errors.TRANSACTION_ABORTABLE));

        ask(TransactionSupportedOperation.GENERIC_ERROR_SUPPORTED);
        ask(TransactionSupportedOperation.DEFAULT_ERROR);

        assertThat(calls).containsExactly("verify", "verify");
        assertThat(refused)
                .containsExactly(Map.of(B, Errors.TRANSACTION_ABORTABLE), Map.of(B, Errors.INVALID_TXN_STATE));
    }
}
