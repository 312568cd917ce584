package io.gregor.groups.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.transactions.TransactionVerification.Verified;
import io.gregor.testing.Fake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.junit.jupiter.api.Test;

class ReplicaWriterTest {
    private static final TopicPartition PARTITION = new TopicPartition("__consumer_offsets", 3);

    private final Set<Object> watching = new HashSet<>();
    private final List<TransactionSupportedOperation> operations = new ArrayList<>();
    private final ReplicaWriter writer = new ReplicaWriter(replicas(), this::verify);
    private Verified verified = Verified.NOTHING;

    @Test
    void takesTheSameListenerOutAgain() {
        PartitionWriter.Listener listener = (partition, offset) -> {};
        writer.registerListener(PARTITION, listener);
        assertThat(watching).hasSize(1);

        writer.deregisterListener(PARTITION, listener);

        assertThat(watching).isEmpty();
    }

    @Test
    void refusesToAppendToAPartitionThatIsNotHere() {
        assertThatThrownBy(() -> writer.append(PARTITION, VerificationGuard.SENTINEL, MemoryRecords.EMPTY, (short) 0))
                .isInstanceOf(NotLeaderOrFollowerException.class);
        assertThatThrownBy(() -> writer.config(PARTITION)).isInstanceOf(NotLeaderOrFollowerException.class);
    }

    @Test
    void verifiesEvenWhoComesWithoutAProducerId() {
        verified = new Verified(Map.of(), Map.of(PARTITION, Errors.INVALID_PRODUCER_ID_MAPPING));

        assertThat(writer.maybeStartTransactionVerification(PARTITION, "t", -1L, (short) -1, 3))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(InvalidPidMappingException.class);
    }

    @Test
    void givesTheGuardOfAVerifiedTransaction() {
        VerificationGuard guard = new VerificationGuard();
        verified = new Verified(Map.of(PARTITION, guard), Map.of());

        CompletableFuture<VerificationGuard> given =
                writer.maybeStartTransactionVerification(PARTITION, "t", 7L, (short) 0, 5);

        assertThat(given).isCompletedWithValue(guard);
        assertThat(operations).containsExactly(TransactionSupportedOperation.ADD_PARTITION);
    }

    @Test
    void failsWithTheErrorOfATransactionThatIsNotVerified() {
        verified = new Verified(Map.of(), Map.of(PARTITION, Errors.INVALID_TXN_STATE));

        CompletableFuture<VerificationGuard> given =
                writer.maybeStartTransactionVerification(PARTITION, "t", 7L, (short) 0, 3);

        assertThat(given)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(InvalidTxnStateException.class);
        assertThat(operations).containsExactly(TransactionSupportedOperation.DEFAULT_ERROR);
    }

    private CompletableFuture<Verified> verify(
            String transactionalId,
            long producerId,
            short producerEpoch,
            Map<TopicPartition, Integer> partitions,
            TransactionSupportedOperation operation) {
        operations.add(operation);
        return CompletableFuture.completedFuture(verified);
    }

    private Replicas replicas() {
        return Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "log" -> Optional.empty();
            case "watch" -> watching.add(arguments[1]);
            case "unwatch" -> watching.remove(arguments[1]);
            default -> throw Fake.unexpected(method.getName());
        });
    }
}
